(** Judges and labels are counted from 0. *)

From Coq Require Import ZArith QArith List.
From NtqrExact Require Import Questions Dependence.
Import ListNotations.

Definition votes : counted := [([0; 0; 0]%nat, 281); ([0; 0; 1]%nat, 26); ([0; 1; 0]%nat, 94); ([0; 1; 1]%nat, 204); ([1; 0; 0]%nat, 181); ([1; 0; 1]%nat, 30); ([1; 1; 0]%nat, 22); ([1; 1; 1]%nat, 162)]%Z.

(** Every key has a pair of these judges whose errors on some label are correlated by so much or more. *)
Theorem dependent_errors : dependent (1356567161 # 100000000000) [0; 1; 2]%nat votes.
Proof. apply heywood_sound; vm_compute; reflexivity. Qed.
