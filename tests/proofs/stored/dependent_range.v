(** Judges: 0 is J1, 1 is J2, 2 is J3. Labels: 0 is a, 1 is b. *)

From Coq Require Import ZArith QArith List.
From NtqrExact Require Import Questions Dependence Budget Boxes Mirror.
Import ListNotations.
Open Scope Z_scope.

Definition votes : counted := [([0; 0; 0]%nat, 4); ([0; 0; 1]%nat, 1); ([1; 1; 0]%nat, 1); ([1; 1; 1]%nat, 4)].

Definition tree_1 : proof :=
  Cut 1 2 0 (2000)
  (Cut 1 1 0 (2000)
  (Cut 1 2 0 (1000)
  (Cut 1 1 0 (1000)
  (Cut 1 0 0 (1000)
  (Cut 0 2 0 (3000)
  (Leaf [(2048000, High 0 2 0); (56250, Pair 0 0 0 1 0 false true); (4096000, Pair 0 0 0 2 0 false true); (1327500, Pair 1 0 0 1 0 false true)])
  (Cut 0 1 0 (3000)
  (Leaf [(2010750, High 0 1 0); (4096000, Pair 0 0 0 1 0 false true); (1315750, Pair 1 0 0 1 0 false true)])
  (Cut 0 0 0 (3000)
  (Leaf [(3034750, High 0 0 0); (4096000, Pair 0 0 0 1 0 true false); (1315750, Pair 1 0 0 1 0 false true)])
  (Cut 1 2 0 (500)
  (Leaf [(4096000, Pair 0 0 0 1 0 false true); (3470000, High 1 2 0); (530750, Pair 1 0 0 1 0 false true)])
  (Cut 1 1 0 (500)
  (Cut 1 0 0 (500)
  (Cut 0 2 0 (3500)
  (Cut 0 1 0 (3500)
  (Leaf [(3031250, High 0 1 0); (4096000, Pair 0 0 0 1 0 false true); (538500, Pair 1 0 0 1 0 false true)])
  (Cut 0 0 0 (3500)
  (Leaf [(3543250, High 0 0 0); (4096000, Pair 0 0 0 1 0 true false); (538500, Pair 1 0 0 1 0 false true)])
  (Cut 1 2 0 (750)
  (Leaf [(3837500, Pair 0 0 0 1 0 false true); (4096000, High 1 2 0); (843250, Pair 1 0 0 1 0 false true)])
  (Cut 1 1 0 (250)
  (Cut 1 0 0 (250)
  (Cut 0 2 0 (3250)
  (Cut 0 1 0 (3750)
  (Leaf [(3542750, High 0 1 0); (4096000, Pair 0 0 0 1 0 false true); (229000, Pair 1 0 0 1 0 false true)])
  (Cut 0 0 0 (3750)
  (Leaf [(3798750, High 0 0 0); (4096000, Pair 0 0 0 1 0 true false); (229000, Pair 1 0 0 1 0 false true)])
  (Leaf [(4096000, Pair 0 0 0 1 0 false true); (5500, Pair 1 0 0 1 0 false true); (15380, Condition 0)])))
  (Leaf [(4096000, Low 0 2 0); (846250, Pair 0 0 0 1 0 false true); (3579000, Pair 1 0 0 1 0 false true)]))
  (Leaf [(245500, Pair 0 0 0 1 0 false true); (3798750, Low 1 0 0); (4096000, Pair 1 0 0 1 0 false true)]))
  (Leaf [(245500, Pair 0 0 0 1 0 false true); (3542750, Low 1 1 0); (4096000, Pair 1 0 0 1 0 true false)])))))
  (Leaf [(4056250, Low 0 2 0); (629750, Pair 0 0 0 1 0 false true); (4096000, Pair 1 0 0 1 0 false true)]))
  (Leaf [(629750, Pair 0 0 0 1 0 false true); (3544250, Low 1 0 0); (4096000, Pair 1 0 0 1 0 false true)]))
  (Leaf [(629750, Pair 0 0 0 1 0 false true); (3032250, Low 1 1 0); (4096000, Pair 1 0 0 1 0 true false)]))))))
  (Leaf [(1991750, Pair 0 0 0 1 0 false true); (3043750, Low 1 0 0); (4096000, Pair 1 0 0 1 0 false true)]))
  (Leaf [(1991750, Pair 0 0 0 1 0 false true); (2019750, Low 1 1 0); (4096000, Pair 1 0 0 1 0 true false)]))
  (Leaf [(2005250, Pair 0 0 0 1 0 false true); (2048000, Low 1 2 0); (42500, Pair 1 0 0 1 0 false true); (4096000, Pair 1 0 0 2 0 true false)]))
  (Leaf [(4095750, Pair 0 0 0 1 0 false true); (4096000, Pair 1 0 0 1 0 true false)]))
  (Leaf [(4095750, Pair 0 1 0 2 0 false true); (4096000, Pair 1 0 0 1 0 true false)]).
Definition conditions_1 : list (list term) :=
  [[Gave (-250) 0 0 0; Asked (247) 0]; [Asked (9) 0; Asked (-1) 1]].
(** No key with every error correlation of a pair or trio at most 1/100 in size and with judge 0 no worse than chance has this: the accuracy of J1 on a is at most 247/250 = 0.988, and at least one question is a. *)
Theorem no_key_1 : ~ exists test, test_of 2 votes test /\ within 2 3 true true (1 # 100) test /\
  (forall i, In i [0]%nat -> no_worse_than_chance 2 votes test i) /\
  (forall c, In c conditions_1 -> meets test c).
Proof. apply (excludes_sound 2 3 true true (1 # 100) 400 [0]%nat conditions_1 votes tree_1);
  vm_compute; reflexivity. Qed.
