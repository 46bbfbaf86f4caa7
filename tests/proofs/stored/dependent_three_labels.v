(** Judges: 0 is J1, 1 is J2, 2 is J3. Labels: 0 is a, 1 is b, 2 is c. *)

From Coq Require Import ZArith QArith List.
From NtqrExact Require Import Questions Dependence Budget Boxes Mirror.
Import ListNotations.
Open Scope Z_scope.

Definition votes : counted := [([0; 0; 0]%nat, 4); ([0; 0; 1]%nat, 1); ([1; 1; 1]%nat, 4); ([1; 2; 0]%nat, 1); ([2; 2; 2]%nat, 3)].

Definition tree_1 : proof :=
  Leaf [(9655, Pair 0 0 0 1 0 false true); (9655, Pair 1 1 2 2 1 false false); (16384, Pair 2 0 2 2 2 false true)].
Definition conditions_1 : list (list term) :=
  [].
(** There is no key with every error correlation of a pair at most 1/100 in size and with judges 0, 1, 2 no worse than chance. *)
Theorem no_key_1 : ~ exists test, test_of 3 votes test /\ within 3 3 true false (1 # 100) test /\
  (forall i, In i [0; 1; 2]%nat -> no_worse_than_chance 3 votes test i) /\
  (forall c, In c conditions_1 -> meets test c).
Proof. apply (excludes_sound 3 3 true false (1 # 100) 100 [0; 1; 2]%nat conditions_1 votes tree_1);
  vm_compute; reflexivity. Qed.
