(** 8 questions: no answer key makes all of these judges safe.
    Judges and labels are counted from 0. A factor (s, t) asks on a label with questions for
    s * right answers > t * questions, the grade (s, t) in all for t * right answers >= s * questions. *)

From Coq Require Import ZArith List.
From NtqrExact Require Import Questions Safety.
Import ListNotations.
Open Scope Z_scope.

Definition votes : counted := [([0; 0; 1]%nat, 1); ([0; 0; 2]%nat, 1); ([0; 1; 1]%nat, 1); ([0; 2; 2]%nat, 1); ([1; 0; 2]%nat, 1); ([1; 1; 0]%nat, 1); ([2; 2; 0]%nat, 2)].
Definition factors : list factor := [(2, 1); (2, 1); (2, 1)].
Definition grade : Z * Z := (0, 1).
Definition judges : list nat := [0; 1; 2]%nat.
Definition tree : proof :=
  Split (Questions 1) (0)
  (Leaf [Part [Member 0 [2; 0; 1] 0; Member 2 [3; 0; 0] 0] [1; (-1); (-1)]])
  (Leaf [Part [Member 0 [0; 1; 0] 0; Member 1 [1; 0; 0] 0] [4; 4; 4]; Part [Member 0 [2; 0; 3] 0; Member 2 [1; 1; 3] 0] [(-2); (-3); 0]]).

Theorem no_safe_key : ~ exists test : list question,
    test_of 3 votes test /\ safe factors grade judges test.
Proof. apply (proves_sound_for_all factors grade judges votes tree). vm_compute. reflexivity. Qed.
