(** Judges and labels are counted from 0. *)

From Coq Require Import ZArith QArith List.
From NtqrExact Require Import Questions Dependence.
Import ListNotations.

Definition votes : counted := [([0; 0; 0; 0]%nat, 4); ([0; 0; 0; 1]%nat, 7); ([0; 0; 1; 1]%nat, 2); ([0; 1; 0; 1]%nat, 5); ([1; 0; 1; 0]%nat, 2); ([1; 1; 0; 0]%nat, 3); ([1; 1; 1; 0]%nat, 6); ([1; 1; 1; 1]%nat, 4)]%Z.

(** Every key has a pair of these judges whose errors on some label are correlated by so much or more. *)
Theorem dependent_errors : dependent (58 # 4719) [0; 3; 2; 1]%nat votes.
Proof. apply tetrad_sound; vm_compute; reflexivity. Qed.
