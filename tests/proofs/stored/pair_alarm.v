(** 2 questions: no answer key makes all of these judges safe.
    Judges and labels are counted from 0. A factor (s, t) asks on a label with questions for
    s * right answers > t * questions, the grade (s, t) in all for t * right answers >= s * questions. *)

From Coq Require Import ZArith List.
From NtqrExact Require Import Questions Safety.
Import ListNotations.
Open Scope Z_scope.

Definition votes : counted := [([0; 1]%nat, 1); ([1; 0]%nat, 1)].
Definition factors : list factor := [(2, 1); (2, 1)].
Definition grade : Z * Z := (0, 1).
Definition judges : list nat := [0; 1]%nat.
Definition tree : proof :=
  Leaf [Part [Member 0 [3; 1] 0; Member 1 [3; 1] 0] [1; (-1)]].

Theorem no_safe_key : ~ exists test : list question,
    test_of 2 votes test /\ safe factors grade judges test.
Proof. apply (proves_sound_for_all factors grade judges votes tree). vm_compute. reflexivity. Qed.
