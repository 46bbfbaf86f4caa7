(** 3 questions, counted by answers in the order aaa, aab, aba, abb, baa, bab, bba, bbb. *)

From Coq Require Import ZArith.
From NtqrExact Require Import Keys Alarms Completeness Kinds.
Open Scope Z_scope.

Definition votes : table := Table 2 0 0 0 0 0 0 1.

(** Some answer key of these votes leaves all errors independent: these are of the first label. *)
Definition first_label : table := Table 2 0 0 0 0 0 0 0.
Theorem independent_key : has_independent_key votes.
Proof. apply (is_key_sound first_label). vm_compute. reflexivity. Qed.
