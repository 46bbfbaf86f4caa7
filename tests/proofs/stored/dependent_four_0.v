(** Judges: 0 is J1, 1 is J2, 2 is J3, 3 is J4. Labels: 0 is a, 1 is b. *)

From Coq Require Import ZArith QArith List.
From NtqrExact Require Import Questions Dependence Budget Boxes Mirror.
Import ListNotations.
Open Scope Z_scope.

Definition votes : counted := [([0; 0; 0; 0]%nat, 4); ([0; 0; 0; 1]%nat, 7); ([0; 0; 1; 1]%nat, 2); ([0; 1; 0; 1]%nat, 5); ([1; 0; 1; 0]%nat, 2); ([1; 1; 0; 0]%nat, 3); ([1; 1; 1; 0]%nat, 6); ([1; 1; 1; 1]%nat, 4)].

(** Every key has a pair of these judges with an error correlation of 753899702667/30250000000000 or more in size on some label. *)
Theorem dependent_errors_1 : dependent (753899702667 # 30250000000000) [1; 3; 0]%nat votes.
Proof. apply heywood_sound; vm_compute; reflexivity. Qed.
