(** Judges: 0 is J1, 1 is J2, 2 is J3. Labels: 0 is a, 1 is b. *)

From Coq Require Import ZArith QArith List.
From NtqrExact Require Import Questions Dependence Budget Boxes Mirror.
Import ListNotations.
Open Scope Z_scope.

Definition votes : counted := [([0; 0; 1]%nat, 1); ([0; 1; 0]%nat, 1); ([1; 0; 0]%nat, 1)].

(** Every key has a pair of these judges with an error correlation of 1/9 or more in size on some label. *)
Theorem dependent_errors_1 : dependent (1 # 9) [1; 0; 2]%nat votes.
Proof. apply signs_sound; vm_compute; reflexivity. Qed.
