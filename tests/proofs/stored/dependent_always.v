(** Judges: 0 is J1, 1 is J2, 2 is J3. Labels: 0 is a, 1 is b. *)

From Coq Require Import ZArith QArith List.
From NtqrExact Require Import Questions Dependence Budget Boxes Mirror.
Import ListNotations.
Open Scope Z_scope.

Definition votes : counted := [([0; 0; 1]%nat, 1); ([0; 1; 0]%nat, 1); ([1; 0; 0]%nat, 1)].

Definition tree_1 : proof :=
  Cut 0 1 0 (600)
  (Leaf [(16383, Pair 0 1 0 2 0 true true); (16384, Pair 1 0 0 2 0 true true)])
  (Leaf [(16383, Pair 0 0 0 1 0 false false); (16384, Pair 1 0 0 1 0 true true)]).
(** Every key has a pair whose error correlation exceeds 1/100 in size. *)
Theorem no_key_1 : ~ exists test, test_of 2 votes test /\ within 2 3 true false (1 # 100) test.
Proof. apply (excludes_sound_for_all 3 true false (1 # 100) 300 [0]%nat votes tree_1); [simpl; auto | vm_compute; reflexivity]. Qed.
