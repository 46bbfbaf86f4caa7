(** Judges: 0 is 1, 1 is 2, 2 is 3. Labels: 0 is a, 1 is b. *)

From Coq Require Import ZArith QArith List.
From NtqrExact Require Import Questions Dependence Budget Boxes Mirror.
Import ListNotations.
Open Scope Z_scope.

Definition votes : counted := [([0; 0; 0]%nat, 281); ([0; 0; 1]%nat, 26); ([0; 1; 0]%nat, 94); ([0; 1; 1]%nat, 204); ([1; 0; 0]%nat, 181); ([1; 0; 1]%nat, 30); ([1; 1; 0]%nat, 22); ([1; 1; 1]%nat, 162)].

(** Every key has a pair of these judges with an error correlation of 1356567161/100000000000 or more in size on some label. *)
Theorem dependent_errors_1 : dependent (1356567161 # 100000000000) [0; 1; 2]%nat votes.
Proof. apply heywood_sound; vm_compute; reflexivity. Qed.
