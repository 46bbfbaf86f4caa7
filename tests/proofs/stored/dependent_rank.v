(** Judges: 0 is J1, 1 is J2, 2 is J3, 3 is J4. Labels: 0 is a, 1 is b, 2 is c. *)

From Coq Require Import ZArith QArith List.
From NtqrExact Require Import Questions Dependence Budget Boxes Mirror Rank.
Import ListNotations.
Open Scope Z_scope.

Definition votes : counted := [([0; 0; 0; 0]%nat, 3); ([0; 0; 1; 1]%nat, 1); ([0; 1; 0; 1]%nat, 3); ([0; 2; 0; 2]%nat, 2); ([1; 0; 1; 0]%nat, 3); ([1; 1; 1; 1]%nat, 2); ([1; 2; 1; 2]%nat, 2); ([2; 0; 2; 0]%nat, 2); ([2; 1; 2; 1]%nat, 1); ([2; 2; 2; 2]%nat, 4)].

Definition scores_1 : list (weights * weights) :=
  [([Weight 1 2 (1)], [Weight 2 0 (322); Weight 2 2 (-1288); Weight 3 2 (4508)]);
   ([Weight 0 0 (1)], [Weight 2 0 (2760); Weight 2 2 (-3450); Weight 3 2 (1449)]);
   ([Weight 0 1 (1)], [Weight 2 1 (3312); Weight 2 2 (-3174); Weight 3 2 (1449)])].
(** Every key has a pair of these judges with an error correlation of 231/5428 or more in size on some label. *)
Theorem dependent_errors_1 : dependent_answers 3 (231 # 5428) [0; 1; 2; 3]%nat votes.
Proof. apply (rank_sound 3 [0; 1; 2; 3]%nat scores_1 488796); vm_compute; reflexivity. Qed.
