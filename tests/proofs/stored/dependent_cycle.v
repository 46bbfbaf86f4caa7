(** Judges and labels are counted from 0. *)

From Coq Require Import ZArith QArith List.
From NtqrExact Require Import Questions Dependence.
Import ListNotations.

Definition votes : counted := [([0; 0; 1]%nat, 1); ([0; 1; 0]%nat, 1); ([1; 0; 0]%nat, 1)]%Z.

(** Every key has a pair of these judges whose errors on some label are correlated by so much or more. *)
Theorem dependent_errors : dependent (1 # 9) [1; 0; 2]%nat votes.
Proof. apply signs_sound; vm_compute; reflexivity. Qed.
