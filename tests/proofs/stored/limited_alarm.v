(** 8 questions: no answer key within the limits makes all of these judges safe.
    Judges and labels are counted from 0. A factor (s, t) asks on a label with questions for
    s * right answers > t * questions, the grade (s, t) in all for t * right answers >= s * questions,
    a limit of a label for so many of its questions, from the least to the most. *)

From Coq Require Import ZArith List.
From NtqrExact Require Import Questions Safety.
Import ListNotations.
Open Scope Z_scope.

Definition votes : counted := [([0; 0; 1]%nat, 1); ([0; 0; 2]%nat, 1); ([0; 1; 1]%nat, 1); ([0; 2; 2]%nat, 1); ([1; 0; 2]%nat, 1); ([1; 1; 0]%nat, 1); ([2; 2; 0]%nat, 2)].
Definition factors : list factor := [(2, 1); (2, 1); (2, 1)].
Definition grade : Z * Z := (1, 2).
Definition judges : list nat := [0; 1; 2]%nat.
Definition limits : list (nat * range) := [(0%nat, (3, 5))].
Definition tree : proof :=
  Split (Questions 1) (0)
  (Leaf [Part [Member 0 [0; 0; 1] 0; Member 1 [0; 0; 0] 0] [1; 1; 2]; Part [Member 0 [0; 0; 1] 4; Member 2 [8; 4; 1] 0] [0; 0; (-3)]])
  (Leaf [Part [Member 0 [0; 2; 0] 0; Member 1 [2; 0; 0] 0] [10; 10; 10]; Part [Member 0 [6; 0; 8] 0; Member 2 [2; 2; 7] 1] [(-5); (-8); 0]]).

Theorem no_safe_key : ~ exists test : list question,
    test_of 3 votes test /\ safe factors grade judges test /\
    (forall l r, In (l, r) limits -> inside (questions_of l test) r).
Proof. apply (proves_sound factors grade judges votes limits tree). vm_compute. reflexivity. Qed.
