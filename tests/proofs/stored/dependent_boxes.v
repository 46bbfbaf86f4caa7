(** Judges: 0 is J1, 1 is J2, 2 is J3. Labels: 0 is a, 1 is b. *)

From Coq Require Import ZArith QArith List.
From NtqrExact Require Import Questions Dependence Budget Boxes Mirror.
Import ListNotations.
Open Scope Z_scope.

Definition votes : counted := [([0; 0; 1]%nat, 1); ([0; 1; 0]%nat, 1); ([1; 0; 0]%nat, 1); ([1; 1; 1]%nat, 1)].

Definition tree_1 : proof :=
  Cut 0 0 0 (204800)
  (Cut 0 1 0 (204800)
  (Cut 0 2 0 (204800)
  (Cut 0 0 0 (163800)
  (Leaf [(16384, High 0 0 0); (9832, Condition 0)])
  (Cut 0 1 0 (163800)
  (Leaf [(16384, High 0 1 0); (9832, Condition 0)])
  (Leaf [(16384, Trio 0 0 0 1 0 2 0 true); (1433, Condition 0)])))
  (Cut 0 0 0 (163800)
  (Leaf [(16384, High 0 0 0); (9832, Condition 0)])
  (Cut 0 1 0 (163800)
  (Leaf [(16384, High 0 1 0); (9832, Condition 0)])
  (Leaf [(16384, Trio 0 0 0 1 0 2 0 true); (2109, Condition 0)]))))
  (Cut 0 2 0 (204800)
  (Cut 0 0 0 (163800)
  (Leaf [(16384, High 0 0 0); (9832, Condition 0)])
  (Cut 0 1 0 (245700)
  (Leaf [(16384, Trio 0 0 0 1 0 2 0 true); (2109, Condition 0)])
  (Leaf [(16384, Low 0 1 0); (9828, Condition 0)])))
  (Cut 0 0 0 (163800)
  (Leaf [(16384, High 0 0 0); (9832, Condition 0)])
  (Cut 0 1 0 (245700)
  (Leaf [(16384, Trio 0 0 0 1 0 2 0 true); (1434, Condition 0)])
  (Leaf [(16384, Low 0 1 0); (9828, Condition 0)])))))
  (Cut 0 1 0 (204800)
  (Cut 0 2 0 (204800)
  (Cut 0 0 0 (245700)
  (Cut 0 1 0 (163800)
  (Leaf [(16384, High 0 1 0); (9832, Condition 0)])
  (Leaf [(16384, Trio 0 0 0 1 0 2 0 true); (2109, Condition 0)]))
  (Leaf [(16384, Low 0 0 0); (9828, Condition 0)]))
  (Cut 0 0 0 (245700)
  (Cut 0 1 0 (163800)
  (Leaf [(16384, High 0 1 0); (9832, Condition 0)])
  (Leaf [(16384, Trio 0 0 0 1 0 2 0 true); (1434, Condition 0)]))
  (Leaf [(16384, Low 0 0 0); (9828, Condition 0)])))
  (Cut 0 2 0 (204800)
  (Cut 0 0 0 (245700)
  (Cut 0 1 0 (245700)
  (Leaf [(16384, Trio 0 0 0 1 0 2 0 true); (1434, Condition 0)])
  (Leaf [(16384, Low 0 1 0); (9828, Condition 0)]))
  (Leaf [(16384, Low 0 0 0); (9828, Condition 0)]))
  (Cut 0 0 0 (245700)
  (Cut 0 1 0 (245700)
  (Leaf [(16384, Trio 0 0 0 1 0 2 0 true); (2109, Condition 0)])
  (Leaf [(16384, Low 0 1 0); (9828, Condition 0)]))
  (Leaf [(16384, Low 0 0 0); (9828, Condition 0)])))).
Definition conditions_1 : list (list term) :=
  [[Asked (1) 0; Asked (-1) 0; Asked (-1) 1]].
(** No key with every error correlation of a trio at most 1/100 in size has this: the share of a is at least 1. *)
Theorem no_key_1 : ~ exists test, test_of 2 votes test /\ within 2 3 false true (1 # 100) test /\
  (forall i, In i []%nat -> no_worse_than_chance 2 votes test i) /\
  (forall c, In c conditions_1 -> meets test c).
Proof. apply (excludes_sound 2 3 false true (1 # 100) 102400 []%nat conditions_1 votes tree_1);
  vm_compute; reflexivity. Qed.

Definition tree_2 : proof :=
  Cut 0 0 0 (200)
  (Leaf [(16384, Trio 0 0 0 1 0 2 0 true); (1679, Condition 0)])
  (Leaf [(16384, Trio 0 0 0 1 0 2 0 true); (1679, Condition 0)]).
Definition conditions_2 : list (list term) :=
  [[Asked (1) 0; Asked (-1) 0; Asked (-1) 1]].
(** No key with every error correlation of a pair or trio at most 1/100 in size has this: the share of a is at least 1. *)
Theorem no_key_2 : ~ exists test, test_of 2 votes test /\ within 2 3 true true (1 # 100) test /\
  (forall i, In i []%nat -> no_worse_than_chance 2 votes test i) /\
  (forall c, In c conditions_2 -> meets test c).
Proof. apply (excludes_sound 2 3 true true (1 # 100) 100 []%nat conditions_2 votes tree_2);
  vm_compute; reflexivity. Qed.
