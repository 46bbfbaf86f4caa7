(** 1000 questions, counted by answers in the order aaa, aab, aba, abb, baa, bab, bba, bbb. *)

From Coq Require Import ZArith.
From NtqrExact Require Import Keys Alarms Completeness Kinds.
Open Scope Z_scope.

Definition votes : table := Table 181 90 86 115 86 109 100 233.

(** No answer key of these votes leaves all errors independent: a square root that must be rational is not: shares of a finite test are rational. *)
Theorem irrational : ~ has_independent_key votes.
Proof. apply irrational_sound; [reflexivity | vm_compute; reflexivity]. Qed.
