(** Votes and answer keys of three judges and two labels, in whole numbers.

    A table says how often each pattern of answers was seen: [aab] counts the questions to which the first two
    judges answered [a] and the third [b]. Votes are a table. An answer key splits the votes into two tables, the
    questions whose true label is [a] and those whose true label is [b]. Rates and correlations are shares and
    central moments of such tables, in the rationals; nothing is assumed about them. *)

From Coq Require Import ZArith QArith Lqa Lia Field.
Open Scope Q_scope.

Record table := Table { aaa : Z; aab : Z; aba : Z; abb : Z; baa : Z; bab : Z; bba : Z; bbb : Z }.

Definition size (t : table) : Z := (aaa t + aab t + aba t + abb t + baa t + bab t + bba t + bbb t)%Z.

Definition nonnegative (t : table) : Prop :=
  (0 <= aaa t /\ 0 <= aab t /\ 0 <= aba t /\ 0 <= abb t /\ 0 <= baa t /\ 0 <= bab t /\ 0 <= bba t /\ 0 <= bbb t)%Z.

(** How often one, two or all three judges answered [a]. *)
Definition count1 (t : table) : Z := (aaa t + aab t + aba t + abb t)%Z.
Definition count2 (t : table) : Z := (aaa t + aab t + baa t + bab t)%Z.
Definition count3 (t : table) : Z := (aaa t + aba t + baa t + bba t)%Z.
Definition count12 (t : table) : Z := (aaa t + aab t)%Z.
Definition count13 (t : table) : Z := (aaa t + aba t)%Z.
Definition count23 (t : table) : Z := (aaa t + baa t)%Z.
Definition count123 (t : table) : Z := aaa t.

(** A share of a table: a count over its size. *)
Definition share (count : table -> Z) (t : table) : Q := inject_Z (count t) / inject_Z (size t).

(** The mean of a function of the three answers, which are 1 for [a] and 0 for [b]. *)
Definition mean (f : Q -> Q -> Q -> Q) (t : table) : Q :=
  (inject_Z (aaa t) * f 1 1 1 + inject_Z (aab t) * f 1 1 0 + inject_Z (aba t) * f 1 0 1 + inject_Z (abb t) * f 1 0 0
   + inject_Z (baa t) * f 0 1 1 + inject_Z (bab t) * f 0 1 0 + inject_Z (bba t) * f 0 0 1 + inject_Z (bbb t) * f 0 0 0)
  / inject_Z (size t).

(** Error correlations: central moments of the answers to the questions of one label. *)
Definition correlation12 (t : table) : Q :=
  mean (fun one two _ => (one - share count1 t) * (two - share count2 t)) t.
Definition correlation13 (t : table) : Q :=
  mean (fun one _ three => (one - share count1 t) * (three - share count3 t)) t.
Definition correlation23 (t : table) : Q :=
  mean (fun _ two three => (two - share count2 t) * (three - share count3 t)) t.
Definition correlation123 (t : table) : Q :=
  mean (fun one two three => (one - share count1 t) * (two - share count2 t) * (three - share count3 t)) t.

(** The errors on a label are independent if it has no questions, or no correlation. *)
Definition independent (t : table) : Prop :=
  size t = 0%Z \/ (correlation12 t == 0 /\ correlation13 t == 0 /\ correlation23 t == 0 /\ correlation123 t == 0).

Definition add (s t : table) : table :=
  Table (aaa s + aaa t) (aab s + aab t) (aba s + aba t) (abb s + abb t)
        (baa s + baa t) (bab s + bab t) (bba s + bba t) (bbb s + bbb t).

(** Some answer key of these votes leaves the errors of all three judges independent. *)
Definition has_independent_key (votes : table) : Prop :=
  exists on_a on_b : table,
    nonnegative on_a /\ nonnegative on_b /\ add on_a on_b = votes /\ independent on_a /\ independent on_b.

(** Sums over the eight patterns, before they are divided by the size. *)
Definition sum (f : Q -> Q -> Q -> Q) (t : table) : Q :=
  inject_Z (aaa t) * f 1 1 1 + inject_Z (aab t) * f 1 1 0 + inject_Z (aba t) * f 1 0 1 + inject_Z (abb t) * f 1 0 0
  + inject_Z (baa t) * f 0 1 1 + inject_Z (bab t) * f 0 1 0 + inject_Z (bba t) * f 0 0 1 + inject_Z (bbb t) * f 0 0 0.

Ltac counted :=
  unfold sum, count1, count2, count3, count12, count13, count23, count123, size; rewrite ?inject_Z_plus; ring.

Lemma sum12 : forall t r s, sum (fun one two _ => (one - r) * (two - s)) t
  == inject_Z (count12 t) - r * inject_Z (count2 t) - s * inject_Z (count1 t) + r * s * inject_Z (size t).
Proof. intros. counted. Qed.

Lemma sum13 : forall t r s, sum (fun one _ three => (one - r) * (three - s)) t
  == inject_Z (count13 t) - r * inject_Z (count3 t) - s * inject_Z (count1 t) + r * s * inject_Z (size t).
Proof. intros. counted. Qed.

Lemma sum23 : forall t r s, sum (fun _ two three => (two - r) * (three - s)) t
  == inject_Z (count23 t) - r * inject_Z (count3 t) - s * inject_Z (count2 t) + r * s * inject_Z (size t).
Proof. intros. counted. Qed.

Lemma sum123 : forall t p r s, sum (fun one two three => (one - p) * (two - r) * (three - s)) t
  == inject_Z (count123 t) - p * inject_Z (count23 t) - r * inject_Z (count13 t) - s * inject_Z (count12 t)
     + p * r * inject_Z (count3 t) + p * s * inject_Z (count2 t) + r * s * inject_Z (count1 t)
     - p * r * s * inject_Z (size t).
Proof. intros. counted. Qed.

(** Correlations in terms of shares. *)
Ltac by_sum lemma := intros t nonempty;
  unfold correlation12, correlation13, correlation23, correlation123;
  match goal with |- mean ?f t == _ => change (mean f t) with (sum f t / inject_Z (size t)) end;
  rewrite lemma; unfold share; field; exact nonempty.

Lemma correlation12_is : forall t, ~ inject_Z (size t) == 0 ->
  correlation12 t == share count12 t - share count1 t * share count2 t.
Proof. by_sum sum12. Qed.
Lemma correlation13_is : forall t, ~ inject_Z (size t) == 0 ->
  correlation13 t == share count13 t - share count1 t * share count3 t.
Proof. by_sum sum13. Qed.
Lemma correlation23_is : forall t, ~ inject_Z (size t) == 0 ->
  correlation23 t == share count23 t - share count2 t * share count3 t.
Proof. by_sum sum23. Qed.
Lemma correlation123_is : forall t, ~ inject_Z (size t) == 0 ->
  correlation123 t == share count123 t - share count1 t * share count2 t * share count3 t
    - share count3 t * (share count12 t - share count1 t * share count2 t)
    - share count2 t * (share count13 t - share count1 t * share count3 t)
    - share count1 t * (share count23 t - share count2 t * share count3 t).
Proof. by_sum sum123. Qed.

(** The moments of a table without correlation are products of its shares. *)
Lemma shares_of_independent : forall t : table,
  ~ inject_Z (size t) == 0 ->
  correlation12 t == 0 -> correlation13 t == 0 -> correlation23 t == 0 -> correlation123 t == 0 ->
  share count12 t == share count1 t * share count2 t /\
  share count13 t == share count1 t * share count3 t /\
  share count23 t == share count2 t * share count3 t /\
  share count123 t == share count1 t * share count2 t * share count3 t.
Proof.
  intros t nonempty c12 c13 c23 c123.
  rewrite (correlation123_is t nonempty) in c123.
  rewrite <- (correlation12_is t nonempty), <- (correlation13_is t nonempty), <- (correlation23_is t nonempty),
    c12, c13, c23 in c123.
  rewrite (correlation12_is t nonempty) in c12. rewrite (correlation13_is t nonempty) in c13.
  rewrite (correlation23_is t nonempty) in c23. repeat split; lra.
Qed.
