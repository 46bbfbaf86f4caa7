(** Judges: 0 is J1, 1 is J2, 2 is J3. Labels: 0 is a, 1 is b. *)

From Coq Require Import ZArith QArith List.
From NtqrExact Require Import Questions Dependence Budget Boxes Mirror Products ProductsSound.
Import ListNotations.
Open Scope Z_scope.

Definition votes : counted := [([0; 0; 0]%nat, 147); ([0; 0; 1]%nat, 38); ([0; 1; 0]%nat, 27); ([0; 1; 1]%nat, 11); ([1; 0; 0]%nat, 18); ([1; 0; 1]%nat, 13); ([1; 1; 0]%nat, 9); ([1; 1; 1]%nat, 37)].

Definition cuts_1 : list Z := [25; 50; 75; 100; 125; 150; 175; 200; 225; 250; 275; 300].
Definition cells_1 : list cell := Eval vm_compute in product_cells 3 true (1 # 200) [0]%nat cuts_1 votes.
Lemma cells_1_hold : product_cells 3 true (1 # 200) [0]%nat cuts_1 votes = cells_1.
Proof. vm_compute. reflexivity. Qed.
Definition conditions_1 : list (list term) :=
  [[Asked (-500) 0; Asked (333) 0; Asked (333) 1]].
(** No key with every error correlation of a pair or trio at most 1/200 in size and with judge 0 no worse than chance has this: the share of a is at most 333/500 = 0.666. *)
Theorem no_key_1 : ~ exists test, test_of 2 votes test /\ within 2 3 true true (1 # 200) test /\
  (forall i, In i [0]%nat -> no_worse_than_chance 2 votes test i) /\
  (forall c, In c conditions_1 -> meets test c).
Proof. apply (products_sound 3 true (1 # 200) [0]%nat cuts_1 conditions_1 votes cells_1 cells_1_hold);
  vm_compute; reflexivity. Qed.

Definition conditions_2 : list (list term) :=
  [[Gave (1000) 0 0 0; Asked (-989) 0]; [Asked (299) 0; Asked (-1) 1]].
(** No key with every error correlation of a pair or trio at most 1/200 in size and with judge 0 no worse than chance has this: the accuracy of J1 on a is at least 989/1000 = 0.989, and at least one question is a. *)
Theorem no_key_2 : ~ exists test, test_of 2 votes test /\ within 2 3 true true (1 # 200) test /\
  (forall i, In i [0]%nat -> no_worse_than_chance 2 votes test i) /\
  (forall c, In c conditions_2 -> meets test c).
Proof. apply (products_sound 3 true (1 # 200) [0]%nat cuts_1 conditions_2 votes cells_1 cells_1_hold);
  vm_compute; reflexivity. Qed.

Definition conditions_3 : list (list term) :=
  [[Gave (-1000) 1 1 1; Asked (611) 1]; [Asked (-1) 0; Asked (299) 1]].
(** No key with every error correlation of a pair or trio at most 1/200 in size and with judge 0 no worse than chance has this: the accuracy of J2 on b is at most 611/1000 = 0.611, and at least one question is b. *)
Theorem no_key_3 : ~ exists test, test_of 2 votes test /\ within 2 3 true true (1 # 200) test /\
  (forall i, In i [0]%nat -> no_worse_than_chance 2 votes test i) /\
  (forall c, In c conditions_3 -> meets test c).
Proof. apply (products_sound 3 true (1 # 200) [0]%nat cuts_1 conditions_3 votes cells_1 cells_1_hold);
  vm_compute; reflexivity. Qed.

Definition conditions_4 : list (list term) :=
  [[Gave (1000) 0 2 0; Gave (1000) 1 2 1; Asked (-869) 0; Asked (-869) 1]].
(** No key with every error correlation of a pair or trio at most 1/200 in size and with judge 0 no worse than chance has this: the accuracy of J3 is at least 869/1000 = 0.869. *)
Theorem no_key_4 : ~ exists test, test_of 2 votes test /\ within 2 3 true true (1 # 200) test /\
  (forall i, In i [0]%nat -> no_worse_than_chance 2 votes test i) /\
  (forall c, In c conditions_4 -> meets test c).
Proof. apply (products_sound 3 true (1 # 200) [0]%nat cuts_1 conditions_4 votes cells_1 cells_1_hold);
  vm_compute; reflexivity. Qed.
