(** The independent key found, or shown not to exist.

    Where no pair moment vanishes, an independent key is one of two tables that the votes determine: one for each
    sign of the root of the discriminant. So a function decides whether there is one: rates that are not between 0 and 1
    and counts that are not whole are among the reasons why both tables may fail. *)

From Coq Require Import ZArith QArith Qround Qcanon Lqa Lia Field Bool.
From NtqrExact Require Import Keys Mixture Alarms.
Open Scope Z_scope.

(** Independence in whole numbers. *)
Definition independent_in_z (t : table) : bool :=
  (size t =? 0) ||
  ((size t * count12 t =? count1 t * count2 t) && (size t * count13 t =? count1 t * count3 t) &&
   (size t * count23 t =? count2 t * count3 t) && (size t * size t * count123 t =? count1 t * count2 t * count3 t)).

Definition nonnegative_in_z (t : table) : bool :=
  (0 <=? aaa t) && (0 <=? aab t) && (0 <=? aba t) && (0 <=? abb t) &&
  (0 <=? baa t) && (0 <=? bab t) && (0 <=? bba t) && (0 <=? bbb t).

Definition subtract (s t : table) : table :=
  Table (aaa s - aaa t) (aab s - aab t) (aba s - aba t) (abb s - abb t)
        (baa s - baa t) (bab s - bab t) (bba s - bba t) (bbb s - bbb t).

(** Whether a table of questions, taken for those of the first label, makes an independent key of the votes. *)
Definition is_key (on_a v : table) : bool :=
  nonnegative_in_z on_a && nonnegative_in_z (subtract v on_a) &&
  independent_in_z on_a && independent_in_z (subtract v on_a).

Lemma add_subtract : forall v t, add t (subtract v t) = v.
Proof. intros [] []. unfold add, subtract. simpl. f_equal; lia. Qed.

Lemma subtract_add : forall s t, subtract (add s t) s = t.
Proof. intros [] []. unfold add, subtract. simpl. f_equal; lia. Qed.

Lemma nonnegative_iff : forall t, nonnegative_in_z t = true <-> nonnegative t.
Proof.
  intro t. unfold nonnegative_in_z, nonnegative. rewrite !andb_true_iff, !Z.leb_le. tauto.
Qed.

Lemma independent_iff : forall t, nonnegative t -> (independent_in_z t = true <-> independent t).
Proof.
  intros t low. unfold independent_in_z, independent. rewrite orb_true_iff, Z.eqb_eq.
  destruct (Z.eq_dec (size t) 0) as [zero | some]; [tauto |].
  assert (positive : 0 < size t) by (apply nonempty_size; assumption).
  assert (n := positive_is_not_zero _ positive).
  rewrite !andb_true_iff, !Z.eqb_eq.
  assert (c12 := correlation12_is t n). assert (c13 := correlation13_is t n).
  assert (c23 := correlation23_is t n). assert (c123 := correlation123_is t n).
  assert (back : forall x y : Z, x = y -> (inject_Z x == inject_Z y)%Q) by (intros x y e; rewrite e; reflexivity).
  split; intros [h | h]; try contradiction; right.
  - destruct h as [[[h12 h13] h23] h123].
    apply back in h12, h13, h23, h123. rewrite !inject_Z_mult in *.
    assert (e12 : (share count12 t == share count1 t * share count2 t)%Q).
    { unfold share. apply (Qmult_inj_r _ _ (inject_Z (size t) * inject_Z (size t))).
      { intro e. apply Qmult_integral in e. destruct e; contradiction. }
      transitivity (inject_Z (size t) * inject_Z (count12 t))%Q; [field; exact n |]. rewrite h12. field. exact n. }
    assert (e13 : (share count13 t == share count1 t * share count3 t)%Q).
    { unfold share. apply (Qmult_inj_r _ _ (inject_Z (size t) * inject_Z (size t))).
      { intro e. apply Qmult_integral in e. destruct e; contradiction. }
      transitivity (inject_Z (size t) * inject_Z (count13 t))%Q; [field; exact n |]. rewrite h13. field. exact n. }
    assert (e23 : (share count23 t == share count2 t * share count3 t)%Q).
    { unfold share. apply (Qmult_inj_r _ _ (inject_Z (size t) * inject_Z (size t))).
      { intro e. apply Qmult_integral in e. destruct e; contradiction. }
      transitivity (inject_Z (size t) * inject_Z (count23 t))%Q; [field; exact n |]. rewrite h23. field. exact n. }
    assert (e123 : (share count123 t == share count1 t * share count2 t * share count3 t)%Q).
    { unfold share. apply (Qmult_inj_r _ _ (inject_Z (size t) * inject_Z (size t) * inject_Z (size t))).
      { intro e. apply Qmult_integral in e. destruct e as [e | e]; [apply Qmult_integral in e; destruct e |]; contradiction. }
      transitivity (inject_Z (size t) * inject_Z (size t) * inject_Z (count123 t))%Q; [field; exact n |].
      rewrite h123. field. exact n. }
    rewrite c12, c13, c23, c123, e12, e13, e23, e123. repeat split; ring.
  - destruct h as [h12 [h13 [h23 h123]]].
    destruct (shares_of_independent t n h12 h13 h23 h123) as [e12 [e13 [e23 e123]]].
    unfold share in *.
    assert (q12 : (inject_Z (size t * count12 t) == inject_Z (count1 t * count2 t))%Q).
    { rewrite !inject_Z_mult. transitivity (inject_Z (size t) * inject_Z (size t) * (inject_Z (count12 t) / inject_Z (size t)))%Q;
        [field; exact n |]. rewrite e12. field. exact n. }
    assert (q13 : (inject_Z (size t * count13 t) == inject_Z (count1 t * count3 t))%Q).
    { rewrite !inject_Z_mult. transitivity (inject_Z (size t) * inject_Z (size t) * (inject_Z (count13 t) / inject_Z (size t)))%Q;
        [field; exact n |]. rewrite e13. field. exact n. }
    assert (q23 : (inject_Z (size t * count23 t) == inject_Z (count2 t * count3 t))%Q).
    { rewrite !inject_Z_mult. transitivity (inject_Z (size t) * inject_Z (size t) * (inject_Z (count23 t) / inject_Z (size t)))%Q;
        [field; exact n |]. rewrite e23. field. exact n. }
    assert (q123 : (inject_Z (size t * size t * count123 t) == inject_Z (count1 t * count2 t * count3 t))%Q).
    { rewrite !inject_Z_mult.
      transitivity (inject_Z (size t) * inject_Z (size t) * inject_Z (size t) * (inject_Z (count123 t) / inject_Z (size t)))%Q;
        [field; exact n |]. rewrite e123. field. exact n. }
    rewrite inject_Z_injective in q12, q13, q23, q123. repeat split; assumption.
Qed.

Theorem is_key_sound : forall on_a v, is_key on_a v = true -> has_independent_key v.
Proof.
  intros on_a v h. unfold is_key in h. rewrite !andb_true_iff in h. destruct h as [[[na nb] ia] ib].
  apply nonnegative_iff in na, nb. apply independent_iff in ia; [| exact na]. apply independent_iff in ib; [| exact nb].
  exists on_a, (subtract v on_a). repeat split; try apply na; try apply nb; try assumption. apply add_subtract.
Qed.

Theorem key_is_key : forall v, has_independent_key v -> exists on_a, is_key on_a v = true.
Proof.
  intros v [s [t [ns [nt [e [is it]]]]]]. exists s. subst v. unfold is_key. rewrite subtract_add, !andb_true_iff.
  repeat split; (apply nonnegative_iff || (apply independent_iff; [assumption |])); assumption.
Qed.

(** The questions of the first label, if the root of the discriminant has this sign and size. *)
Open Scope Q_scope.

Section Candidate.
  Variables (root : Z) (v : table).
  Let r := inject_Z root.
  Let n := inject_Z (size v).
  Definition prevalence := (r - inject_Z (moment123 v)) / (2 * r).
  (** How far apart the rates of [a] are on the two labels, and these rates: on [a], and on [b]. *)
  Definition gap1 := r / (n * inject_Z (moment23 v)).
  Definition gap2 := r / (n * inject_Z (moment13 v)).
  Definition gap3 := r / (n * inject_Z (moment12 v)).
  Definition rate1 := share count1 v + (1 - prevalence) * (r / (n * inject_Z (moment23 v))).
  Definition rate2 := share count2 v + (1 - prevalence) * (r / (n * inject_Z (moment13 v))).
  Definition rate3 := share count3 v + (1 - prevalence) * (r / (n * inject_Z (moment12 v))).
  Definition other1 := share count1 v - prevalence * gap1.
  Definition other2 := share count2 v - prevalence * gap2.
  Definition other3 := share count3 v - prevalence * gap3.
  Definition entry (one two three : Q) : Z := Qfloor (n * prevalence * (one * two * three)).
  Definition candidate : table :=
    Table (entry rate1 rate2 rate3) (entry rate1 rate2 (1 - rate3))
          (entry rate1 (1 - rate2) rate3) (entry rate1 (1 - rate2) (1 - rate3))
          (entry (1 - rate1) rate2 rate3) (entry (1 - rate1) rate2 (1 - rate3))
          (entry (1 - rate1) (1 - rate2) rate3) (entry (1 - rate1) (1 - rate2) (1 - rate3)).
End Candidate.

(** Whether the votes have an independent key, where no pair moment vanishes. *)
Definition key_found (v : table) : bool :=
  is_key (candidate (Z.sqrt (whole_discriminant v)) v) v || is_key (candidate (- Z.sqrt (whole_discriminant v)) v) v.

Lemma floor_of_whole : forall (q : Q) (z : Z), q == inject_Z z -> Qfloor q = z.
Proof. intros q z e. rewrite e. apply Qfloor_Z. Qed.

Lemma no_moment_of_one_label : forall v, (0 < size v)%Z -> independent v -> moments v = 0%Z.
Proof.
  intros v positive [empty | [c12 [c13 [c23 c123]]]]; [lia |].
  assert (n := positive_is_not_zero _ positive).
  destruct (shares_of_independent v n c12 c13 c23 c123) as [e12 _].
  assert (z : moment12 v = 0%Z).
  { apply zero_in_q. rewrite (moment12_scaled v positive). unfold delta12. rewrite e12. ring. }
  unfold moments. rewrite z. ring.
Qed.

Section Unique.
  Variables (s t : table).
  Hypotheses (ns : nonnegative s) (nt : nonnegative t) (is : independent s) (it : independent t).
  Let v := add s t.
  Hypotheses (positive : (0 < size v)%Z) (moving : moments v <> 0%Z).

  Lemma sizes : size v = (size s + size t)%Z.
  Proof. unfold v, size, add. simpl. lia. Qed.

  Lemma both_labels : (0 < size s)%Z /\ (0 < size t)%Z.
  Proof.
    assert (ps : (0 <= size s)%Z) by (unfold nonnegative, size in *; lia).
    assert (pt : (0 <= size t)%Z) by (unfold nonnegative, size in *; lia).
    assert (e := sizes).
    destruct (Z.eq_dec (size s) 0) as [es | fs].
    { exfalso. apply moving. assert (same : v = t).
      { unfold v, nonnegative, size, add in *. destruct s, t; simpl in *. f_equal; lia. }
      rewrite same. apply no_moment_of_one_label; [lia | exact it]. }
    destruct (Z.eq_dec (size t) 0) as [et | ft].
    { exfalso. apply moving. assert (same : v = s).
      { unfold v, nonnegative, size, add in *. destruct s, t; simpl in *. f_equal; lia. }
      rewrite same. apply no_moment_of_one_label; [lia | exact is]. }
    lia.
  Qed.

  Let p := inject_Z (size s) / inject_Z (size s + size t).
  Let a1 := share count1 s. Let a2 := share count2 s. Let a3 := share count3 s.
  Let b1 := share count1 t. Let b2 := share count2 t. Let b3 := share count3 t.
  Let w := p * (1 - p).
  Let c := whole v * whole v * whole v.
  Let signed := w * ((a1 - b1) * (a2 - b2) * (a3 - b3)) * c.

  Lemma mixed : mixture v p a1 a2 a3 b1 b2 b3.
  Proof. destruct both_labels. apply mixture_of_key; assumption. Qed.

  Lemma entries : let m := inject_Z (size s) in
    inject_Z (aaa s) == m * (a1 * a2 * a3) /\ inject_Z (aab s) == m * (a1 * a2 * (1 - a3)) /\
    inject_Z (aba s) == m * (a1 * (1 - a2) * a3) /\ inject_Z (abb s) == m * (a1 * (1 - a2) * (1 - a3)) /\
    inject_Z (baa s) == m * ((1 - a1) * a2 * a3) /\ inject_Z (bab s) == m * ((1 - a1) * a2 * (1 - a3)) /\
    inject_Z (bba s) == m * ((1 - a1) * (1 - a2) * a3) /\
    inject_Z (bbb s) == m * ((1 - a1) * (1 - a2) * (1 - a3)).
  Proof.
    intro m. destruct both_labels as [ps _]. assert (n := positive_is_not_zero _ ps).
    destruct is as [empty | [c12 [c13 [c23 c123]]]]; [lia |].
    destruct (shares_of_independent s n c12 c13 c23 c123) as [e12 [e13 [e23 e123]]].
    assert (g1 : m * a1 == inject_Z (count1 s)) by (unfold m, a1, share; field; exact n).
    assert (g2 : m * a2 == inject_Z (count2 s)) by (unfold m, a2, share; field; exact n).
    assert (g3 : m * a3 == inject_Z (count3 s)) by (unfold m, a3, share; field; exact n).
    assert (g12 : m * (a1 * a2) == inject_Z (count12 s)) by (unfold a1, a2, a3; rewrite <- e12; unfold m, share; field; exact n).
    assert (g13 : m * (a1 * a3) == inject_Z (count13 s)) by (unfold a1, a2, a3; rewrite <- e13; unfold m, share; field; exact n).
    assert (g23 : m * (a2 * a3) == inject_Z (count23 s)) by (unfold a1, a2, a3; rewrite <- e23; unfold m, share; field; exact n).
    assert (g123 : m * (a1 * a2 * a3) == inject_Z (count123 s))
      by (unfold a1, a2, a3; rewrite <- e123; unfold m, share; field; exact n).
    assert (gm : m == inject_Z (size s)) by reflexivity.
    unfold count1, count2, count3, count12, count13, count23, count123, size in g1, g2, g3, g12, g13, g23, g123, gm.
    rewrite !inject_Z_plus in *.
    repeat split.
    - lra.
    - setoid_replace (m * (a1 * a2 * (1 - a3))) with (m * (a1 * a2) - m * (a1 * a2 * a3)) by ring. lra.
    - setoid_replace (m * (a1 * (1 - a2) * a3)) with (m * (a1 * a3) - m * (a1 * a2 * a3)) by ring. lra.
    - setoid_replace (m * (a1 * (1 - a2) * (1 - a3)))
        with (m * a1 - m * (a1 * a2) - m * (a1 * a3) + m * (a1 * a2 * a3)) by ring. lra.
    - setoid_replace (m * ((1 - a1) * a2 * a3)) with (m * (a2 * a3) - m * (a1 * a2 * a3)) by ring. lra.
    - setoid_replace (m * ((1 - a1) * a2 * (1 - a3)))
        with (m * a2 - m * (a1 * a2) - m * (a2 * a3) + m * (a1 * a2 * a3)) by ring. lra.
    - setoid_replace (m * ((1 - a1) * (1 - a2) * a3))
        with (m * a3 - m * (a1 * a3) - m * (a2 * a3) + m * (a1 * a2 * a3)) by ring. lra.
    - setoid_replace (m * ((1 - a1) * (1 - a2) * (1 - a3)))
        with (m - m * a1 - m * a2 - m * a3 + m * (a1 * a2) + m * (a1 * a3) + m * (a2 * a3) - m * (a1 * a2 * a3)) by ring.
      lra.
  Qed.

  Lemma scale : ~ whole v == 0.
  Proof. apply positive_is_not_zero. exact positive. Qed.

  Lemma signed_square : inject_Z (whole_discriminant v) == signed * signed.
  Proof.
    rewrite (discriminant_scaled v positive), (discriminant_of_mixture v p a1 a2 a3 b1 b2 b3 mixed).
    unfold signed, c, w. ring.
  Qed.

  Lemma factors : ~ w == 0 /\ ~ a1 - b1 == 0 /\ ~ a2 - b2 == 0 /\ ~ a3 - b3 == 0.
  Proof.
    assert (e : inject_Z (moments v) == w * (w * ((a1 - b1) * (a2 - b2) * (a3 - b3)) * c * (w * ((a1 - b1) * (a2 - b2) * (a3 - b3)) * c))).
    { rewrite (moments_scaled v positive), (product_of_mixture v p a1 a2 a3 b1 b2 b3 mixed). unfold c, w. ring. }
    assert (n : ~ inject_Z (moments v) == 0) by (intro z; apply moving, zero_in_q; exact z).
    repeat split; intro z; apply n; rewrite e, z; ring.
  Qed.

  Lemma signed_not_zero : ~ signed == 0.
  Proof.
    destruct factors as [n0 [n1 [n2 n3]]]. assert (k := scale).
    assert (both : forall x y : Q, ~ x == 0 -> ~ y == 0 -> ~ x * y == 0).
    { intros x y nx ny z. apply Qmult_integral in z. destruct z; contradiction. }
    unfold signed, c. apply both; [apply both; [exact n0 |] |]; apply both; try exact k; try exact n3;
      apply both; assumption.
  Qed.

  Section Root.
    Variable root : Z.
    Hypothesis rooted : signed == inject_Z root.

    (** With the root that has the sign of this key, the votes determine its prevalence (eq. 40 in its right form), how far
        apart its rates of answering [a] are on the two labels, and these rates: on [a] they are the accuracies, on [b]
        what is left by them. *)
    Lemma prevalence_found : prevalence root v == p.
    Proof.
      unfold prevalence. rewrite <- rooted. rewrite (moment123_scaled v positive).
      rewrite (trio_of_mixture v p a1 a2 a3 b1 b2 b3 mixed).
      assert (e : p * (1 - p) * (1 - 2 * p) * ((a1 - b1) * (a2 - b2) * (a3 - b3)) * (whole v * whole v * whole v)
        == (1 - 2 * p) * signed) by (unfold signed, c, w; ring).
      rewrite e. field. exact signed_not_zero.
    Qed.

    Lemma gaps_found : gap1 root v == a1 - b1 /\ gap2 root v == a2 - b2 /\ gap3 root v == a3 - b3.
    Proof.
      destruct factors as [n0 [n1 [n2 n3]]]. assert (k := scale).
      unfold gap1, gap2, gap3. rewrite <- rooted.
      rewrite (moment12_scaled v positive), (moment13_scaled v positive), (moment23_scaled v positive).
      rewrite (delta12_of_mixture v p a1 a2 a3 b1 b2 b3 mixed), (delta13_of_mixture v p a1 a2 a3 b1 b2 b3 mixed),
        (delta23_of_mixture v p a1 a2 a3 b1 b2 b3 mixed).
      fold (whole v). fold w. unfold signed, c. repeat split; field; repeat split; assumption.
    Qed.

    Lemma rates_found : rate1 root v == a1 /\ rate2 root v == a2 /\ rate3 root v == a3.
    Proof.
      assert (m := mixed). destruct m as [_ [f1 [f2 [f3 _]]]]. destruct gaps_found as [g1 [g2 g3]].
      unfold rate1, rate2, rate3. fold (gap1 root v) (gap2 root v) (gap3 root v).
      rewrite prevalence_found, g1, g2, g3, f1, f2, f3. repeat split; ring.
    Qed.

    Lemma other_rates_found : other1 root v == b1 /\ other2 root v == b2 /\ other3 root v == b3.
    Proof.
      assert (m := mixed). destruct m as [_ [f1 [f2 [f3 _]]]]. destruct gaps_found as [g1 [g2 g3]].
      unfold other1, other2, other3. rewrite prevalence_found, g1, g2, g3, f1, f2, f3. repeat split; ring.
    Qed.

    Lemma candidate_found : candidate root v = s.
    Proof.
      destruct rates_found as [h1 [h2 h3]]. destruct entries as [x1 [x2 [x3 [x4 [x5 [x6 [x7 x8]]]]]]].
      assert (m : whole v * prevalence root v == inject_Z (size s)).
      { rewrite prevalence_found. unfold whole, p. rewrite sizes. field. rewrite <- sizes. exact scale. }
      unfold candidate, entry. fold (whole v).
      destruct s as [n1 n2 n3 n4 n5 n6 n7 n8] eqn:e. simpl in x1, x2, x3, x4, x5, x6, x7, x8.
      f_equal; apply floor_of_whole; rewrite m, h1, h2, h3; symmetry; assumption.
    Qed.
  End Root.
End Unique.

(** The decision: where no pair moment vanishes, the function finds a key exactly if there is one. *)
Theorem key_found_iff : forall v, (0 < size v)%Z -> moments v <> 0%Z ->
  (key_found v = true <-> has_independent_key v).
Proof.
  intros v positive moving. split.
  - unfold key_found. intro h. apply orb_true_iff in h. destruct h as [h | h]; exact (is_key_sound _ _ h).
  - intro key. destruct (key_is_key v key) as [_ _]. destruct key as [s [t [ns [nt [sum_is [is it]]]]]]. subst v.
    assert (square := signed_square s t ns nt is it positive moving).
    destruct (whole_square _ _ (Qeq_sym _ _ square)) as [z e].
    assert (sq : (Z.sqrt (whole_discriminant (add s t)) * Z.sqrt (whole_discriminant (add s t))
      = whole_discriminant (add s t))%Z).
    { rewrite e. rewrite <- (Z.abs_square z). rewrite Z.sqrt_square by lia. reflexivity. }
    set (r := Z.sqrt (whole_discriminant (add s t))) in *.
    rewrite <- sq, inject_Z_mult in square.
    assert (found : is_key s (add s t) = true).
    { unfold is_key. rewrite subtract_add, !andb_true_iff.
      repeat split; (apply nonnegative_iff || (apply independent_iff; [assumption |])); assumption. }
    unfold key_found. fold r.
    match type of square with _ == ?x * ?x => set (signed := x) in * end.
    assert (split_up : (signed - inject_Z r) * (signed + inject_Z r) == 0).
    { transitivity (signed * signed - inject_Z r * inject_Z r); [ring |]. rewrite <- square. ring. }
    apply Qmult_integral in split_up. destruct split_up as [h | h].
    + assert (rooted : signed == inject_Z r) by lra.
      rewrite (candidate_found s t ns nt is it positive moving r rooted), found. reflexivity.
    + assert (rooted : signed == inject_Z (- r)) by (rewrite inject_Z_opp; lra).
      rewrite (candidate_found s t ns nt is it positive moving (- r) rooted), found. apply orb_true_r.
Qed.

