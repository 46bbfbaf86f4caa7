From Coq Require Import QArith.
Open Scope Q_scope.

Lemma multiple_of_zero : forall c x : Q, x == 0 -> c * x == 0.
Proof. intros c x zero. rewrite zero. ring. Qed.
Lemma sum_of_zeros : forall x y : Q, x == 0 -> y == 0 -> x + y == 0.
Proof. intros x y one two. rewrite one, two. ring. Qed.

(** Equation 33d (Corrada-Emmanuel 2023, eq. 33d; as printed) *)
Theorem equation_33d : forall accuracy_a_1 accuracy_a_2 accuracy_b_1 accuracy_b_2 correlation_a_1_2 correlation_b_1_2 frequency_a_1 frequency_a_1_a_2 frequency_a_1_b_2 frequency_b_1 frequency_b_1_a_2 frequency_b_1_b_2 frequency_b_2 informedness_1 informedness_2 pair_moment_1_2 prevalence_a prevalence_b : Q,
  (* 5 *) - 1 + prevalence_a + prevalence_b == 0 ->
  (* 26a *) - accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_b_1 * accuracy_b_2 * prevalence_b + accuracy_b_1 * prevalence_b + accuracy_b_2 * prevalence_b - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b + frequency_a_1_a_2 - prevalence_b == 0 ->
  (* 26b *) accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_a_1 * prevalence_a + accuracy_b_1 * accuracy_b_2 * prevalence_b - accuracy_b_2 * prevalence_b + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_a_1_b_2 == 0 ->
  (* 26c *) accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_a_2 * prevalence_a + accuracy_b_1 * accuracy_b_2 * prevalence_b - accuracy_b_1 * prevalence_b + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_b_1_a_2 == 0 ->
  (* 26d *) - accuracy_a_1 * accuracy_a_2 * prevalence_a + accuracy_a_1 * prevalence_a + accuracy_a_2 * prevalence_a - accuracy_b_1 * accuracy_b_2 * prevalence_b - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b + frequency_b_1_b_2 - prevalence_a == 0 ->
  (* f_{a_1} *) frequency_a_1 - frequency_a_1_a_2 - frequency_a_1_b_2 == 0 ->
  (* f_{b_1} *) frequency_b_1 - frequency_b_1_a_2 - frequency_b_1_b_2 == 0 ->
  (* f_{b_2} *) - frequency_a_1_b_2 - frequency_b_1_b_2 + frequency_b_2 == 0 ->
  (* 34 *) frequency_b_1 * frequency_b_2 - frequency_b_1_b_2 + pair_moment_1_2 == 0 ->
  (* d_1 defined *) 1 - accuracy_a_1 - accuracy_b_1 + informedness_1 == 0 ->
  (* d_2 defined *) 1 - accuracy_a_2 - accuracy_b_2 + informedness_2 == 0 ->
  accuracy_a_1 * accuracy_b_2 - accuracy_a_1 * frequency_b_2 - accuracy_b_2 * frequency_a_1 + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_a_1 * frequency_b_2 - pair_moment_1_2 * prevalence_a - pair_moment_1_2 * prevalence_b == 0.
Proof.
  intros accuracy_a_1 accuracy_a_2 accuracy_b_1 accuracy_b_2 correlation_a_1_2 correlation_b_1_2 frequency_a_1 frequency_a_1_a_2 frequency_a_1_b_2 frequency_b_1 frequency_b_1_a_2 frequency_b_1_b_2 frequency_b_2 informedness_1 informedness_2 pair_moment_1_2 prevalence_a prevalence_b given_1 given_2 given_3 given_4 given_5 given_6 given_7 given_8 given_9 given_10 given_11.
  (* Add up the patterns with this answer: the other judges and the correlations drop out. *)
  assert (step_1 : accuracy_a_1 - frequency_a_1 - informedness_1 * prevalence_b == 0).
  { transitivity ((- 1) * (frequency_a_1 - frequency_a_1_a_2 - frequency_a_1_b_2) + (- 1) * (- accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_b_1 * accuracy_b_2 * prevalence_b + accuracy_b_1 * prevalence_b + accuracy_b_2 * prevalence_b - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b + frequency_a_1_a_2 - prevalence_b) + (- 1) * (accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_a_1 * prevalence_a + accuracy_b_1 * accuracy_b_2 * prevalence_b - accuracy_b_2 * prevalence_b + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_a_1_b_2) + (- 1 + prevalence_a) * (1 - accuracy_a_1 - accuracy_b_1 + informedness_1) + (- 1 + accuracy_b_1 - informedness_1) * (- 1 + prevalence_a + prevalence_b)); [ring |].
    repeat apply sum_of_zeros; apply multiple_of_zero; assumption. }
  (* Add up the patterns with this answer: the other judges and the correlations drop out. *)
  assert (step_2 : accuracy_b_1 - frequency_b_1 - informedness_1 * prevalence_a == 0).
  { transitivity ((- 1) * (frequency_b_1 - frequency_b_1_a_2 - frequency_b_1_b_2) + (- 1) * (accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_a_2 * prevalence_a + accuracy_b_1 * accuracy_b_2 * prevalence_b - accuracy_b_1 * prevalence_b + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_b_1_a_2) + (- 1) * (- accuracy_a_1 * accuracy_a_2 * prevalence_a + accuracy_a_1 * prevalence_a + accuracy_a_2 * prevalence_a - accuracy_b_1 * accuracy_b_2 * prevalence_b - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b + frequency_b_1_b_2 - prevalence_a) + (- prevalence_a) * (1 - accuracy_a_1 - accuracy_b_1 + informedness_1) + (- accuracy_b_1) * (- 1 + prevalence_a + prevalence_b)); [ring |].
    repeat apply sum_of_zeros; apply multiple_of_zero; assumption. }
  (* Add up the patterns with this answer: the other judges and the correlations drop out. *)
  assert (step_3 : accuracy_b_2 - frequency_b_2 - informedness_2 * prevalence_a == 0).
  { transitivity ((- 1) * (- frequency_a_1_b_2 - frequency_b_1_b_2 + frequency_b_2) + (- 1) * (accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_a_1 * prevalence_a + accuracy_b_1 * accuracy_b_2 * prevalence_b - accuracy_b_2 * prevalence_b + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_a_1_b_2) + (- 1) * (- accuracy_a_1 * accuracy_a_2 * prevalence_a + accuracy_a_1 * prevalence_a + accuracy_a_2 * prevalence_a - accuracy_b_1 * accuracy_b_2 * prevalence_b - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b + frequency_b_1_b_2 - prevalence_a) + (- prevalence_a) * (1 - accuracy_a_2 - accuracy_b_2 + informedness_2) + (- accuracy_b_2) * (- 1 + prevalence_a + prevalence_b)); [ring |].
    repeat apply sum_of_zeros; apply multiple_of_zero; assumption. }
  (* Covariance within the labels, and between them. *)
  assert (step_4 : - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b - informedness_1 * informedness_2 * prevalence_a * prevalence_b + pair_moment_1_2 == 0).
  { transitivity ((1) * (frequency_b_1 * frequency_b_2 - frequency_b_1_b_2 + pair_moment_1_2) + (frequency_b_2) * (accuracy_b_1 - frequency_b_1 - informedness_1 * prevalence_a) + (accuracy_b_1 - informedness_1 * prevalence_a) * (accuracy_b_2 - frequency_b_2 - informedness_2 * prevalence_a) + (1) * (- accuracy_a_1 * accuracy_a_2 * prevalence_a + accuracy_a_1 * prevalence_a + accuracy_a_2 * prevalence_a - accuracy_b_1 * accuracy_b_2 * prevalence_b - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b + frequency_b_1_b_2 - prevalence_a) + (- accuracy_a_2 * prevalence_a + prevalence_a) * (1 - accuracy_a_1 - accuracy_b_1 + informedness_1) + (accuracy_b_1 * prevalence_a - informedness_1 * prevalence_a) * (1 - accuracy_a_2 - accuracy_b_2 + informedness_2) + (accuracy_b_1 * accuracy_b_2 - informedness_1 * informedness_2 * prevalence_a) * (- 1 + prevalence_a + prevalence_b)); [ring |].
    repeat apply sum_of_zeros; apply multiple_of_zero; assumption. }
  (* Put the lemmas in place of all that is observed. *)
  assert (step_5 : accuracy_a_1 * accuracy_b_2 - accuracy_a_1 * frequency_b_2 - accuracy_b_2 * frequency_a_1 + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_a_1 * frequency_b_2 - pair_moment_1_2 * prevalence_a - pair_moment_1_2 * prevalence_b == 0).
  { transitivity ((- prevalence_a - prevalence_b) * (- correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b - informedness_1 * informedness_2 * prevalence_a * prevalence_b + pair_moment_1_2) + (accuracy_b_2 - frequency_b_2) * (accuracy_a_1 - frequency_a_1 - informedness_1 * prevalence_b) + (informedness_1 * prevalence_b) * (accuracy_b_2 - frequency_b_2 - informedness_2 * prevalence_a) + (- correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b - informedness_1 * informedness_2 * prevalence_a * prevalence_b) * (- 1 + prevalence_a + prevalence_b)); [ring |].
    repeat apply sum_of_zeros; apply multiple_of_zero; assumption. }
  exact step_5.
Qed.

Print Assumptions equation_33d.
