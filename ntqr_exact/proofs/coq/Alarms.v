(** Five of the seven alarms of three judges and two labels as functions of whole numbers, each with the theorem that it
    is sound: where the function is true of the votes of a question or more, no answer key leaves the errors independent. *)

From Coq Require Import ZArith QArith Qcanon Lqa Lia Field Bool.
From NtqrExact Require Import Keys Mixture.
Open Scope Z_scope.

(** The moments of the votes without denominators: Delta times size^2, T times size^3, A times size^6. *)
Definition moment12 v := size v * count12 v - count1 v * count2 v.
Definition moment13 v := size v * count13 v - count1 v * count3 v.
Definition moment23 v := size v * count23 v - count2 v * count3 v.
Definition moment123 v :=
  size v * size v * count123 v - count1 v * count2 v * count3 v
  - count1 v * moment23 v - count2 v * moment13 v - count3 v * moment12 v.
Definition moments v := moment12 v * moment13 v * moment23 v.
Definition whole_discriminant v := moment123 v * moment123 v + 4 * moments v.

(** What has no real root has no rational one either: [irrational] is true where [imaginary] is. *)
Definition negative_product v := moments v <? 0.
Definition imaginary v := whole_discriminant v <? 0.
Definition irrational v := negb (Z.sqrt (whole_discriminant v) * Z.sqrt (whole_discriminant v) =? whole_discriminant v).
Definition no_root v := (whole_discriminant v =? 0) && negb (moments v =? 0).
Definition exactly_one (p q r : bool) := (p && negb q && negb r) || (negb p && q && negb r) || (negb p && negb q && r).
Definition contradiction v :=
  exactly_one (moment12 v =? 0) (moment13 v =? 0) (moment23 v =? 0) || ((moments v =? 0) && negb (moment123 v =? 0)).

(** The whole numbers are the rational moments on another scale. *)
Open Scope Q_scope.

Ltac scaled := intros v positive; apply positive_is_not_zero in positive;
  unfold whole_discriminant, moments, moment123, moment12, moment13, moment23,
    discriminant, product, trio, delta12, delta13, delta23, share;
  unfold Z.sub; rewrite ?inject_Z_plus, ?inject_Z_mult, ?inject_Z_opp, ?inject_Z_mult, ?inject_Z_plus, ?inject_Z_opp,
    ?inject_Z_mult, ?inject_Z_plus, ?inject_Z_opp, ?inject_Z_mult.

Definition whole (v : table) : Q := inject_Z (size v).

Lemma moment12_scaled : forall v, (0 < size v)%Z -> inject_Z (moment12 v) == delta12 v * (whole v * whole v).
Proof. scaled. unfold whole. field. exact positive. Qed.
Lemma moment13_scaled : forall v, (0 < size v)%Z -> inject_Z (moment13 v) == delta13 v * (whole v * whole v).
Proof. scaled. unfold whole. field. exact positive. Qed.
Lemma moment23_scaled : forall v, (0 < size v)%Z -> inject_Z (moment23 v) == delta23 v * (whole v * whole v).
Proof. scaled. unfold whole. field. exact positive. Qed.
Lemma moment123_scaled : forall v, (0 < size v)%Z ->
  inject_Z (moment123 v) == trio v * (whole v * whole v * whole v).
Proof.
  intros v positive. unfold moment123, Z.sub.
  rewrite !inject_Z_plus, !inject_Z_opp, !inject_Z_mult.
  rewrite (moment12_scaled v positive), (moment13_scaled v positive), (moment23_scaled v positive).
  apply positive_is_not_zero in positive. unfold trio, share. fold (whole v) in *. field. exact positive.
Qed.
Lemma moments_scaled : forall v, (0 < size v)%Z ->
  inject_Z (moments v) == product v * (whole v * whole v * whole v * (whole v * whole v * whole v)).
Proof.
  intros v positive. unfold moments. rewrite !inject_Z_mult.
  rewrite (moment12_scaled v positive), (moment13_scaled v positive), (moment23_scaled v positive).
  unfold product. ring.
Qed.
Lemma discriminant_scaled : forall v, (0 < size v)%Z ->
  inject_Z (whole_discriminant v) == discriminant v * (whole v * whole v * whole v * (whole v * whole v * whole v)).
Proof.
  intros v positive. unfold whole_discriminant. rewrite inject_Z_plus, !inject_Z_mult.
  rewrite (moment123_scaled v positive), (moments_scaled v positive). unfold discriminant.
  change (inject_Z 4) with 4. ring.
Qed.

(** A whole number that is the square of a rational is the square of a whole number. *)
Lemma whole_square : forall (q : Q) (n : Z), q * q == inject_Z n -> exists z : Z, n = (z * z)%Z.
Proof.
  intros q n equal. rewrite <- (Qred_correct q) in equal.
  assert (lowest : Z.gcd (Qnum (Qred q)) (QDen (Qred q)) = 1%Z) by (apply Qred_identity2, Qred_involutive).
  destruct (Qred q) as [top below]. simpl in *. unfold Qeq in equal. simpl in equal.
  rewrite Z.mul_1_r, Pos2Z.inj_mul in equal.
  assert (divides : (Zpos below | top)%Z).
  { apply (Z.gauss (Zpos below) top top).
    - exists (n * Zpos below)%Z. lia.
    - rewrite Z.gcd_comm. exact lowest. }
  assert (one : Zpos below = 1%Z).
  { apply Z.divide_gcd_iff in divides; [| lia]. rewrite Z.gcd_comm in divides. congruence. }
  exists top. rewrite one in equal. lia.
Qed.

Section Sound.
  Variable v : table.
  Hypothesis positive : (0 < size v)%Z.

  Let cube := whole v * whole v * whole v.

  Lemma cube_positive : 0 < cube.
  Proof. unfold cube, whole. repeat apply Qmult_lt_0_compat; apply positive_in_q; exact positive. Qed.

  (** What every independent key implies in whole numbers. *)
  Lemma consequences : has_independent_key v ->
    exists w d1 d2 d3 q m : Q, 0 <= w /\
      inject_Z (moment12 v) == w * (d1 * d2) * m /\ inject_Z (moment13 v) == w * (d1 * d3) * m /\
      inject_Z (moment23 v) == w * (d2 * d3) * m /\
      inject_Z (moment123 v) == q * (w * (d1 * d2 * d3)) * cube /\
      inject_Z (moments v) == w * (w * (d1 * d2 * d3) * cube * (w * (d1 * d2 * d3) * cube)) /\
      inject_Z (whole_discriminant v) == w * (d1 * d2 * d3) * cube * (w * (d1 * d2 * d3) * cube).
  Proof.
    intro key. destruct (independent_is_a_mixture v positive key) as [p [a1 [a2 [a3 [b1 [b2 [b3 mixed]]]]]]].
    exists (p * (1 - p)), (a1 - b1), (a2 - b2), (a3 - b3), (1 - 2 * p), (whole v * whole v).
    split; [exact (weight_within v p a1 a2 a3 b1 b2 b3 mixed) |].
    rewrite (moment12_scaled v positive), (moment13_scaled v positive), (moment23_scaled v positive),
      (moment123_scaled v positive), (moments_scaled v positive), (discriminant_scaled v positive).
    rewrite (delta12_of_mixture v p a1 a2 a3 b1 b2 b3 mixed), (delta13_of_mixture v p a1 a2 a3 b1 b2 b3 mixed),
      (delta23_of_mixture v p a1 a2 a3 b1 b2 b3 mixed), (trio_of_mixture v p a1 a2 a3 b1 b2 b3 mixed),
      (product_of_mixture v p a1 a2 a3 b1 b2 b3 mixed), (discriminant_of_mixture v p a1 a2 a3 b1 b2 b3 mixed).
    unfold cube. repeat split; ring.
  Qed.

  Lemma zero_in_q : forall z : Z, inject_Z z == 0 -> z = 0%Z.
  Proof. intros z e. unfold Qeq in e. simpl in e. lia. Qed.

  Theorem negative_product_sound : negative_product v = true -> ~ has_independent_key v.
  Proof.
    unfold negative_product. intros fires key. apply Z.ltb_lt in fires.
    destruct (consequences key) as [w [d1 [d2 [d3 [q [m [pw [_ [_ [_ [_ [e _]]]]]]]]]]]].
    assert (low : inject_Z (moments v) < 0) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact fires).
    rewrite e in low. set (s := w * (d1 * d2 * d3) * cube) in low.
    assert (0 <= s * s) by nra. assert (0 <= w * (s * s)) by nra. lra.
  Qed.

  Theorem imaginary_sound : imaginary v = true -> ~ has_independent_key v.
  Proof.
    unfold imaginary. intros fires key. apply Z.ltb_lt in fires.
    destruct (consequences key) as [w [d1 [d2 [d3 [q [m [pw [_ [_ [_ [_ [_ e]]]]]]]]]]]].
    assert (low : inject_Z (whole_discriminant v) < 0)
      by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact fires).
    rewrite e in low. set (s := w * (d1 * d2 * d3) * cube) in low. nra.
  Qed.

  Theorem irrational_sound : irrational v = true -> ~ has_independent_key v.
  Proof.
    unfold irrational. intros fires key. apply negb_true_iff, Z.eqb_neq in fires.
    destruct (consequences key) as [w [d1 [d2 [d3 [q [m [pw [_ [_ [_ [_ [_ e]]]]]]]]]]]].
    destruct (whole_square (w * (d1 * d2 * d3) * cube) (whole_discriminant v)) as [z square].
    { symmetry. exact e. }
    apply fires. rewrite square. rewrite <- (Z.abs_square z) at 1 2 3. rewrite Z.sqrt_square by lia. lia.
  Qed.

  Theorem no_root_sound : no_root v = true -> ~ has_independent_key v.
  Proof.
    unfold no_root. intros fires key. apply andb_true_iff in fires. destruct fires as [zero not].
    apply Z.eqb_eq in zero. apply negb_true_iff, Z.eqb_neq in not.
    destruct (consequences key) as [w [d1 [d2 [d3 [q [m [pw [_ [_ [_ [_ [e f]]]]]]]]]]]].
    apply not, zero_in_q. rewrite e, <- f, zero. change (inject_Z 0) with 0. ring.
  Qed.

  Lemma product_zero : forall x y : Q, x * y == 0 -> x == 0 \/ y == 0.
  Proof. intros. apply Qmult_integral. assumption. Qed.

  Theorem contradiction_sound : contradiction v = true -> ~ has_independent_key v.
  Proof.
    unfold contradiction. intros fires key.
    destruct (consequences key) as [w [d1 [d2 [d3 [q [m [pw [e12 [e13 [e23 [e123 [e f]]]]]]]]]]]].
    apply orb_true_iff in fires. destruct fires as [one | both].
    - unfold exactly_one in one.
      assert (no : forall x y z r s t : Z, True) by auto. clear no.
      destruct (Z.eqb_spec (moment12 v) 0) as [z12 | n12]; destruct (Z.eqb_spec (moment13 v) 0) as [z13 | n13];
        destruct (Z.eqb_spec (moment23 v) 0) as [z23 | n23]; simpl in one; try discriminate.
      + (* the first only *) rewrite z12 in e12. change (inject_Z 0) with 0 in e12. symmetry in e12.
        apply product_zero in e12. destruct e12 as [h | h].
        * apply product_zero in h. destruct h as [h | h]; [| apply product_zero in h; destruct h as [h | h]];
            (apply n13; apply zero_in_q; rewrite e13, h; ring) || (apply n23; apply zero_in_q; rewrite e23, h; ring).
        * apply n13. apply zero_in_q. rewrite e13, h. ring.
      + rewrite z13 in e13. change (inject_Z 0) with 0 in e13. symmetry in e13.
        apply product_zero in e13. destruct e13 as [h | h].
        * apply product_zero in h. destruct h as [h | h]; [| apply product_zero in h; destruct h as [h | h]];
            (apply n12; apply zero_in_q; rewrite e12, h; ring) || (apply n23; apply zero_in_q; rewrite e23, h; ring).
        * apply n12. apply zero_in_q. rewrite e12, h. ring.
      + rewrite z23 in e23. change (inject_Z 0) with 0 in e23. symmetry in e23.
        apply product_zero in e23. destruct e23 as [h | h].
        * apply product_zero in h. destruct h as [h | h]; [| apply product_zero in h; destruct h as [h | h]];
            (apply n12; apply zero_in_q; rewrite e12, h; ring) || (apply n13; apply zero_in_q; rewrite e13, h; ring).
        * apply n12. apply zero_in_q. rewrite e12, h. ring.
    - apply andb_true_iff in both. destruct both as [zero not].
      apply Z.eqb_eq in zero. apply negb_true_iff, Z.eqb_neq in not. apply not, zero_in_q.
      rewrite zero in e. change (inject_Z 0) with 0 in e. symmetry in e.
      rewrite e123. apply product_zero in e. destruct e as [h | h].
      + rewrite h. ring.
      + apply product_zero in h. assert (s : w * (d1 * d2 * d3) * cube == 0) by (destruct h; assumption).
        setoid_replace (q * (w * (d1 * d2 * d3)) * cube) with (q * (w * (d1 * d2 * d3) * cube)) by ring.
        rewrite s. ring.
  Qed.
End Sound.

(** These five alarms in one function. *)
Definition alarm v := negative_product v || imaginary v || irrational v || no_root v || contradiction v.

Theorem alarm_sound : forall v, (0 < size v)%Z -> alarm v = true -> ~ has_independent_key v.
Proof.
  intros v positive fires. unfold alarm in fires. rewrite !orb_true_iff in fires.
  destruct fires as [[[[h | h] | h] | h] | h].
  - exact (negative_product_sound v positive h).
  - exact (imaginary_sound v positive h).
  - exact (irrational_sound v positive h).
  - exact (no_root_sound v positive h).
  - exact (contradiction_sound v positive h).
Qed.

(** The two-norm votes of the source: their discriminant is no square. *)
Example two_norm : ~ has_independent_key (Table 181 90 86 115 86 109 100 233).
Proof. apply alarm_sound; [reflexivity | vm_compute; reflexivity]. Qed.

