(** Judges: 0 is J1, 1 is J2, 2 is J3, 3 is J4. Labels: 0 is a, 1 is b. *)

From Coq Require Import ZArith QArith List.
From NtqrExact Require Import Questions Dependence Budget Boxes Mirror Whole WholeSound.
Import ListNotations.
Open Scope Z_scope.

Definition votes : counted := [([0; 0; 0; 0]%nat, 3); ([0; 0; 1; 1]%nat, 1); ([0; 1; 0; 1]%nat, 2); ([0; 1; 1; 1]%nat, 1); ([1; 1; 1; 0]%nat, 2); ([1; 1; 1; 1]%nat, 3)].

(** Every key has a pair whose error correlation is 5/49 or more in size. *)
Theorem dependent_errors_1 : ~ exists test, test_of 2 votes test /\ below 4 false (5 # 49) test.
Proof. apply (whole_sound 4 false [1; 0; 2; 3]%nat); vm_compute; reflexivity. Qed.
