/- Equation 33d (Corrada-Emmanuel 2023, eq. 33d; as printed). Check it with `lean FILE`; Lean 4.22 or later, without Mathlib. -/

theorem equation_33d_step_1 {K : Type} [Lean.Grind.CommRing K] (accuracy_a_1 accuracy_a_2 accuracy_b_1 accuracy_b_2 correlation_a_1_2 correlation_b_1_2 frequency_a_1 frequency_a_1_a_2 frequency_a_1_b_2 informedness_1 prevalence_a prevalence_b : K)
    : accuracy_a_1 - frequency_a_1 - informedness_1 * prevalence_b = (- 1) * (frequency_a_1 - frequency_a_1_a_2 - frequency_a_1_b_2) + (- 1) * (- accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_b_1 * accuracy_b_2 * prevalence_b + accuracy_b_1 * prevalence_b + accuracy_b_2 * prevalence_b - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b + frequency_a_1_a_2 - prevalence_b) + (- 1) * (accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_a_1 * prevalence_a + accuracy_b_1 * accuracy_b_2 * prevalence_b - accuracy_b_2 * prevalence_b + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_a_1_b_2) + (- 1 + prevalence_a) * (1 - accuracy_a_1 - accuracy_b_1 + informedness_1) + (- 1 + accuracy_b_1 - informedness_1) * (- 1 + prevalence_a + prevalence_b) := by grind

theorem equation_33d_step_2 {K : Type} [Lean.Grind.CommRing K] (accuracy_a_1 accuracy_a_2 accuracy_b_1 accuracy_b_2 correlation_a_1_2 correlation_b_1_2 frequency_b_1 frequency_b_1_a_2 frequency_b_1_b_2 informedness_1 prevalence_a prevalence_b : K)
    : accuracy_b_1 - frequency_b_1 - informedness_1 * prevalence_a = (- 1) * (frequency_b_1 - frequency_b_1_a_2 - frequency_b_1_b_2) + (- 1) * (accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_a_2 * prevalence_a + accuracy_b_1 * accuracy_b_2 * prevalence_b - accuracy_b_1 * prevalence_b + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_b_1_a_2) + (- 1) * (- accuracy_a_1 * accuracy_a_2 * prevalence_a + accuracy_a_1 * prevalence_a + accuracy_a_2 * prevalence_a - accuracy_b_1 * accuracy_b_2 * prevalence_b - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b + frequency_b_1_b_2 - prevalence_a) + (- prevalence_a) * (1 - accuracy_a_1 - accuracy_b_1 + informedness_1) + (- accuracy_b_1) * (- 1 + prevalence_a + prevalence_b) := by grind

theorem equation_33d_step_3 {K : Type} [Lean.Grind.CommRing K] (accuracy_a_1 accuracy_a_2 accuracy_b_1 accuracy_b_2 correlation_a_1_2 correlation_b_1_2 frequency_a_1_b_2 frequency_b_1_b_2 frequency_b_2 informedness_2 prevalence_a prevalence_b : K)
    : accuracy_b_2 - frequency_b_2 - informedness_2 * prevalence_a = (- 1) * (- frequency_a_1_b_2 - frequency_b_1_b_2 + frequency_b_2) + (- 1) * (accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_a_1 * prevalence_a + accuracy_b_1 * accuracy_b_2 * prevalence_b - accuracy_b_2 * prevalence_b + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_a_1_b_2) + (- 1) * (- accuracy_a_1 * accuracy_a_2 * prevalence_a + accuracy_a_1 * prevalence_a + accuracy_a_2 * prevalence_a - accuracy_b_1 * accuracy_b_2 * prevalence_b - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b + frequency_b_1_b_2 - prevalence_a) + (- prevalence_a) * (1 - accuracy_a_2 - accuracy_b_2 + informedness_2) + (- accuracy_b_2) * (- 1 + prevalence_a + prevalence_b) := by grind

theorem equation_33d_step_4 {K : Type} [Lean.Grind.CommRing K] (accuracy_a_1 accuracy_a_2 accuracy_b_1 accuracy_b_2 correlation_a_1_2 correlation_b_1_2 frequency_b_1 frequency_b_1_b_2 frequency_b_2 informedness_1 informedness_2 pair_moment_1_2 prevalence_a prevalence_b : K)
    : - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b - informedness_1 * informedness_2 * prevalence_a * prevalence_b + pair_moment_1_2 = (1) * (frequency_b_1 * frequency_b_2 - frequency_b_1_b_2 + pair_moment_1_2) + (frequency_b_2) * (accuracy_b_1 - frequency_b_1 - informedness_1 * prevalence_a) + (accuracy_b_1 - informedness_1 * prevalence_a) * (accuracy_b_2 - frequency_b_2 - informedness_2 * prevalence_a) + (1) * (- accuracy_a_1 * accuracy_a_2 * prevalence_a + accuracy_a_1 * prevalence_a + accuracy_a_2 * prevalence_a - accuracy_b_1 * accuracy_b_2 * prevalence_b - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b + frequency_b_1_b_2 - prevalence_a) + (- accuracy_a_2 * prevalence_a + prevalence_a) * (1 - accuracy_a_1 - accuracy_b_1 + informedness_1) + (accuracy_b_1 * prevalence_a - informedness_1 * prevalence_a) * (1 - accuracy_a_2 - accuracy_b_2 + informedness_2) + (accuracy_b_1 * accuracy_b_2 - informedness_1 * informedness_2 * prevalence_a) * (- 1 + prevalence_a + prevalence_b) := by grind

theorem equation_33d_step_5 {K : Type} [Lean.Grind.CommRing K] (accuracy_a_1 accuracy_b_2 correlation_a_1_2 correlation_b_1_2 frequency_a_1 frequency_b_2 informedness_1 informedness_2 pair_moment_1_2 prevalence_a prevalence_b : K)
    : accuracy_a_1 * accuracy_b_2 - accuracy_a_1 * frequency_b_2 - accuracy_b_2 * frequency_a_1 + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_a_1 * frequency_b_2 - pair_moment_1_2 * prevalence_a - pair_moment_1_2 * prevalence_b = (- prevalence_a - prevalence_b) * (- correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b - informedness_1 * informedness_2 * prevalence_a * prevalence_b + pair_moment_1_2) + (accuracy_b_2 - frequency_b_2) * (accuracy_a_1 - frequency_a_1 - informedness_1 * prevalence_b) + (informedness_1 * prevalence_b) * (accuracy_b_2 - frequency_b_2 - informedness_2 * prevalence_a) + (- correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b - informedness_1 * informedness_2 * prevalence_a * prevalence_b) * (- 1 + prevalence_a + prevalence_b) := by grind

theorem equation_33d {K : Type} [Lean.Grind.CommRing K] (accuracy_a_1 accuracy_a_2 accuracy_b_1 accuracy_b_2 correlation_a_1_2 correlation_b_1_2 frequency_a_1 frequency_a_1_a_2 frequency_a_1_b_2 frequency_b_1 frequency_b_1_a_2 frequency_b_1_b_2 frequency_b_2 informedness_1 informedness_2 pair_moment_1_2 prevalence_a prevalence_b : K)
    (given_1 : - 1 + prevalence_a + prevalence_b = 0)
    (given_2 : - accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_b_1 * accuracy_b_2 * prevalence_b + accuracy_b_1 * prevalence_b + accuracy_b_2 * prevalence_b - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b + frequency_a_1_a_2 - prevalence_b = 0)
    (given_3 : accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_a_1 * prevalence_a + accuracy_b_1 * accuracy_b_2 * prevalence_b - accuracy_b_2 * prevalence_b + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_a_1_b_2 = 0)
    (given_4 : accuracy_a_1 * accuracy_a_2 * prevalence_a - accuracy_a_2 * prevalence_a + accuracy_b_1 * accuracy_b_2 * prevalence_b - accuracy_b_1 * prevalence_b + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_b_1_a_2 = 0)
    (given_5 : - accuracy_a_1 * accuracy_a_2 * prevalence_a + accuracy_a_1 * prevalence_a + accuracy_a_2 * prevalence_a - accuracy_b_1 * accuracy_b_2 * prevalence_b - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b + frequency_b_1_b_2 - prevalence_a = 0)
    (given_6 : frequency_a_1 - frequency_a_1_a_2 - frequency_a_1_b_2 = 0)
    (given_7 : frequency_b_1 - frequency_b_1_a_2 - frequency_b_1_b_2 = 0)
    (given_8 : - frequency_a_1_b_2 - frequency_b_1_b_2 + frequency_b_2 = 0)
    (given_9 : frequency_b_1 * frequency_b_2 - frequency_b_1_b_2 + pair_moment_1_2 = 0)
    (given_10 : 1 - accuracy_a_1 - accuracy_b_1 + informedness_1 = 0)
    (given_11 : 1 - accuracy_a_2 - accuracy_b_2 + informedness_2 = 0)
    : accuracy_a_1 * accuracy_b_2 - accuracy_a_1 * frequency_b_2 - accuracy_b_2 * frequency_a_1 + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_a_1 * frequency_b_2 - pair_moment_1_2 * prevalence_a - pair_moment_1_2 * prevalence_b = 0 := by
  -- Add up the patterns with this answer: the other judges and the correlations drop out.
  have step_1 : accuracy_a_1 - frequency_a_1 - informedness_1 * prevalence_b = 0 := by
    refine (equation_33d_step_1 accuracy_a_1 accuracy_a_2 accuracy_b_1 accuracy_b_2 correlation_a_1_2 correlation_b_1_2 frequency_a_1 frequency_a_1_a_2 frequency_a_1_b_2 informedness_1 prevalence_a prevalence_b).trans ?_
    rw [given_6, given_2, given_3, given_10, given_1]
    simp only [Lean.Grind.Semiring.mul_zero, Lean.Grind.Semiring.add_zero]
  -- Add up the patterns with this answer: the other judges and the correlations drop out.
  have step_2 : accuracy_b_1 - frequency_b_1 - informedness_1 * prevalence_a = 0 := by
    refine (equation_33d_step_2 accuracy_a_1 accuracy_a_2 accuracy_b_1 accuracy_b_2 correlation_a_1_2 correlation_b_1_2 frequency_b_1 frequency_b_1_a_2 frequency_b_1_b_2 informedness_1 prevalence_a prevalence_b).trans ?_
    rw [given_7, given_4, given_5, given_10, given_1]
    simp only [Lean.Grind.Semiring.mul_zero, Lean.Grind.Semiring.add_zero]
  -- Add up the patterns with this answer: the other judges and the correlations drop out.
  have step_3 : accuracy_b_2 - frequency_b_2 - informedness_2 * prevalence_a = 0 := by
    refine (equation_33d_step_3 accuracy_a_1 accuracy_a_2 accuracy_b_1 accuracy_b_2 correlation_a_1_2 correlation_b_1_2 frequency_a_1_b_2 frequency_b_1_b_2 frequency_b_2 informedness_2 prevalence_a prevalence_b).trans ?_
    rw [given_8, given_3, given_5, given_11, given_1]
    simp only [Lean.Grind.Semiring.mul_zero, Lean.Grind.Semiring.add_zero]
  -- Covariance within the labels, and between them.
  have step_4 : - correlation_a_1_2 * prevalence_a - correlation_b_1_2 * prevalence_b - informedness_1 * informedness_2 * prevalence_a * prevalence_b + pair_moment_1_2 = 0 := by
    refine (equation_33d_step_4 accuracy_a_1 accuracy_a_2 accuracy_b_1 accuracy_b_2 correlation_a_1_2 correlation_b_1_2 frequency_b_1 frequency_b_1_b_2 frequency_b_2 informedness_1 informedness_2 pair_moment_1_2 prevalence_a prevalence_b).trans ?_
    rw [given_9, step_2, step_3, given_5, given_10, given_11, given_1]
    simp only [Lean.Grind.Semiring.mul_zero, Lean.Grind.Semiring.add_zero]
  -- Put the lemmas in place of all that is observed.
  have step_5 : accuracy_a_1 * accuracy_b_2 - accuracy_a_1 * frequency_b_2 - accuracy_b_2 * frequency_a_1 + correlation_a_1_2 * prevalence_a + correlation_b_1_2 * prevalence_b + frequency_a_1 * frequency_b_2 - pair_moment_1_2 * prevalence_a - pair_moment_1_2 * prevalence_b = 0 := by
    refine (equation_33d_step_5 accuracy_a_1 accuracy_b_2 correlation_a_1_2 correlation_b_1_2 frequency_a_1 frequency_b_2 informedness_1 informedness_2 pair_moment_1_2 prevalence_a prevalence_b).trans ?_
    rw [step_4, step_1, step_3, given_1]
    simp only [Lean.Grind.Semiring.mul_zero, Lean.Grind.Semiring.add_zero]
  exact step_5
