(** Where none of the seven kinds of alarm fires, there is an answer key with independent errors; so the kinds are not
    only right, together they miss nothing.

    Where no pair moment vanishes, the two solutions with either sign of the root are the two labels of a mixture that
    gives back the votes. If all rates are within 0 and 1 and all counts are whole, they are the tables of a key. *)

From Coq Require Import ZArith QArith Qround Lqa Lia Bool List.
From NtqrExact Require Import Keys Mixture Alarms Completeness Decision Kinds.
Import ListNotations.
Open Scope Q_scope.

Section Solution.
  Variables (v : table) (r : Z).
  Hypotheses (positive : (0 < Keys.size v)%Z) (moving : moments v <> 0%Z) (rooted : r <> 0%Z).
  Hypothesis square : (r * r = whole_discriminant v)%Z.
  Let n := inject_Z (Keys.size v).
  Let p := prevalence r v.
  Let t := inject_Z (moment123 v).

  Lemma not_zero : ~ n == 0 /\ ~ inject_Z r == 0.
  Proof. split; [apply positive_is_not_zero; exact positive | intro z; apply zero_in_q in z; contradiction]. Qed.

  Lemma other_prevalence : prevalence (- r) v == 1 - p.
  Proof. destruct not_zero as [_ h]. unfold p, prevalence. rewrite inject_Z_opp. field. exact h. Qed.

  Let g (moment : Z) : Q := inject_Z r / (n * inject_Z moment).
  Let x (c : table -> Z) (moment : Z) : Q := share c v + (1 - p) * g moment.
  Let y (c : table -> Z) (moment : Z) : Q := share c v - p * g moment.

  Lemma other_rate : forall c moment, moment <> 0%Z ->
    share c v + (1 - prevalence (- r) v) * (inject_Z (- r) / (n * inject_Z moment)) == y c moment.
  Proof.
    intros c moment h. destruct not_zero as [a b].
    assert (m : ~ inject_Z moment == 0) by (intro z; apply zero_in_q in z; contradiction).
    rewrite other_prevalence. unfold y, g. rewrite inject_Z_opp. field. split; assumption.
  Qed.

  (** The weight of the mixture, and what its products of gaps are. *)
  Lemma weight_is : p * (1 - p) == inject_Z (moments v) / (inject_Z r * inject_Z r).
  Proof.
    destruct not_zero as [_ h]. assert (e := f_equal inject_Z square). unfold whole_discriminant in e.
    rewrite inject_Z_plus, !inject_Z_mult in e. fold t in e. unfold p, prevalence. fold t.
    change (inject_Z 4) with 4 in e.
    assert (four : 4 * inject_Z (moments v) == inject_Z r * inject_Z r - t * t) by (rewrite e; ring).
    apply (Qmult_inj_l _ _ 4); [discriminate |].
    transitivity (4 * inject_Z (moments v) / (inject_Z r * inject_Z r)); [rewrite four; field; exact h | field; exact h].
  Qed.

  Lemma no_zero_moment : ~ inject_Z (moment12 v) == 0 /\ ~ inject_Z (moment13 v) == 0 /\ ~ inject_Z (moment23 v) == 0.
  Proof. destruct (moments_apart v moving) as [a [b c]]. repeat split; intro z; apply zero_in_q in z; contradiction. Qed.

  Ltac by_weight := destruct not_zero as [zn zr]; destruct no_zero_moment as [z12 [z13 z23]];
    rewrite weight_is; unfold g, moments; rewrite !inject_Z_mult; field; repeat split; assumption.
  Lemma gaps12 : p * (1 - p) * (g (moment23 v) * g (moment13 v)) == inject_Z (moment12 v) / (n * n).
  Proof. by_weight. Qed.
  Lemma gaps13 : p * (1 - p) * (g (moment23 v) * g (moment12 v)) == inject_Z (moment13 v) / (n * n).
  Proof. by_weight. Qed.
  Lemma gaps23 : p * (1 - p) * (g (moment13 v) * g (moment12 v)) == inject_Z (moment23 v) / (n * n).
  Proof. by_weight. Qed.
  Lemma gaps123 : p * (1 - p) * (1 - 2 * p) * (g (moment23 v) * g (moment13 v) * g (moment12 v)) == t / (n * n * n).
  Proof.
    destruct not_zero as [zn zr]. destruct no_zero_moment as [z12 [z13 z23]].
    assert (e : 1 - 2 * p == t / inject_Z r) by (unfold p, prevalence; fold t; field; exact zr).
    rewrite weight_is, e. unfold g, moments. rewrite !inject_Z_mult. field. repeat split; assumption.
  Qed.

  Let x1 := x count1 (moment23 v). Let x2 := x count2 (moment13 v). Let x3 := x count3 (moment12 v).
  Let y1 := y count1 (moment23 v). Let y2 := y count2 (moment13 v). Let y3 := y count3 (moment12 v).

  Lemma one_back : forall c moment, share c v == p * x c moment + (1 - p) * y c moment.
  Proof. intros. unfold x, y. ring. Qed.
  Lemma moment_back : forall m d, inject_Z m == d * (n * n) -> inject_Z m / (n * n) == d.
  Proof. intros m d e. destruct not_zero as [zn _]. rewrite e. field. exact zn. Qed.
  Lemma back12 : share count12 v == p * (x1 * x2) + (1 - p) * (y1 * y2).
  Proof.
    transitivity (share count1 v * share count2 v + p * (1 - p) * (g (moment23 v) * g (moment13 v)));
      [| unfold x1, x2, y1, y2, x, y; ring].
    rewrite gaps12, (moment_back _ _ (moment12_scaled v positive)). unfold delta12. ring.
  Qed.
  Lemma back13 : share count13 v == p * (x1 * x3) + (1 - p) * (y1 * y3).
  Proof.
    transitivity (share count1 v * share count3 v + p * (1 - p) * (g (moment23 v) * g (moment12 v)));
      [| unfold x1, x3, y1, y3, x, y; ring].
    rewrite gaps13, (moment_back _ _ (moment13_scaled v positive)). unfold delta13. ring.
  Qed.
  Lemma back23 : share count23 v == p * (x2 * x3) + (1 - p) * (y2 * y3).
  Proof.
    transitivity (share count2 v * share count3 v + p * (1 - p) * (g (moment13 v) * g (moment12 v)));
      [| unfold x2, x3, y2, y3, x, y; ring].
    rewrite gaps23, (moment_back _ _ (moment23_scaled v positive)). unfold delta23. ring.
  Qed.
  Lemma back123 : share count123 v == p * (x1 * x2 * x3) + (1 - p) * (y1 * y2 * y3).
  Proof.
    transitivity (share count1 v * share count2 v * share count3 v
      + share count1 v * (p * (1 - p) * (g (moment13 v) * g (moment12 v)))
      + share count2 v * (p * (1 - p) * (g (moment23 v) * g (moment12 v)))
      + share count3 v * (p * (1 - p) * (g (moment23 v) * g (moment13 v)))
      + p * (1 - p) * (1 - 2 * p) * (g (moment23 v) * g (moment13 v) * g (moment12 v)));
      [| unfold x1, x2, x3, y1, y2, y3, x, y; ring].
    rewrite gaps12, gaps13, gaps23, gaps123.
    rewrite (moment_back _ _ (moment12_scaled v positive)), (moment_back _ _ (moment13_scaled v positive)),
      (moment_back _ _ (moment23_scaled v positive)).
    assert (e : t / (n * n * n) == trio v).
    { destruct not_zero as [zn _]. unfold t. rewrite (moment123_scaled v positive). fold n. unfold whole. fold n.
      field. exact zn. }
    rewrite e. unfold trio. ring.
  Qed.
End Solution.

(** A table of products of rates is nonnegative and independent. *)
Definition products (s : table) (m x y z : Q) : Prop :=
  inject_Z (aaa s) == m * (x * y * z) /\ inject_Z (aab s) == m * (x * y * (1 - z)) /\
  inject_Z (aba s) == m * (x * (1 - y) * z) /\ inject_Z (abb s) == m * (x * (1 - y) * (1 - z)) /\
  inject_Z (baa s) == m * ((1 - x) * y * z) /\ inject_Z (bab s) == m * ((1 - x) * y * (1 - z)) /\
  inject_Z (bba s) == m * ((1 - x) * (1 - y) * z) /\ inject_Z (bbb s) == m * ((1 - x) * (1 - y) * (1 - z)).

Lemma products_key : forall s m x y z, products s m x y z -> 0 <= m -> 0 <= x <= 1 -> 0 <= y <= 1 -> 0 <= z <= 1 ->
  nonnegative s /\ independent_in_z s = true.
Proof.
  intros s m x y z [e1 [e2 [e3 [e4 [e5 [e6 [e7 e8]]]]]]] hm hx hy hz. split.
  - assert (low : forall (k : Z) a b c, inject_Z k == m * (a * b * c) -> 0 <= a -> 0 <= b -> 0 <= c -> (0 <= k)%Z).
    { intros k a b c e ha hb hc. rewrite Zle_Qle, e. change (inject_Z 0) with 0.
      repeat apply Qmult_le_0_compat; assumption. }
    unfold nonnegative. repeat split;
      [apply (low _ _ _ _ e1) | apply (low _ _ _ _ e2) | apply (low _ _ _ _ e3) | apply (low _ _ _ _ e4)
      | apply (low _ _ _ _ e5) | apply (low _ _ _ _ e6) | apply (low _ _ _ _ e7) | apply (low _ _ _ _ e8)]; lra.
  - assert (n : inject_Z (Keys.size s) == m) by (unfold Keys.size; rewrite !inject_Z_plus, e1, e2, e3, e4, e5, e6, e7, e8; ring).
    assert (c1 : inject_Z (count1 s) == m * x) by (unfold count1; rewrite !inject_Z_plus, e1, e2, e3, e4; ring).
    assert (c2 : inject_Z (count2 s) == m * y) by (unfold count2; rewrite !inject_Z_plus, e1, e2, e5, e6; ring).
    assert (c3 : inject_Z (count3 s) == m * z) by (unfold count3; rewrite !inject_Z_plus, e1, e3, e5, e7; ring).
    assert (c12 : inject_Z (count12 s) == m * (x * y)) by (unfold count12; rewrite !inject_Z_plus, e1, e2; ring).
    assert (c13 : inject_Z (count13 s) == m * (x * z)) by (unfold count13; rewrite !inject_Z_plus, e1, e3; ring).
    assert (c23 : inject_Z (count23 s) == m * (y * z)) by (unfold count23; rewrite !inject_Z_plus, e1, e5; ring).
    assert (c123 : inject_Z (count123 s) == m * (x * y * z)) by exact e1.
    unfold independent_in_z. apply orb_true_iff. right. rewrite !andb_true_iff, !Z.eqb_eq.
    repeat split; apply inject_Z_injective; rewrite !inject_Z_mult, ?n, ?c1, ?c2, ?c3, ?c12, ?c13, ?c23, ?c123; ring.
Qed.

Lemma candidate_products : forall r v, forallb is_whole (counts_of r v) = true ->
  products (candidate r v) (inject_Z (Keys.size v) * prevalence r v) (rate1 r v) (rate2 r v) (rate3 r v).
Proof.
  intros r v h. unfold counts_of in h. cbn [forallb] in h. rewrite !andb_true_iff in h.
  destruct h as [_ [h1 [h2 [h3 [h4 [h5 [h6 [h7 [h8 _]]]]]]]]]. unfold is_whole in *.
  apply Qeq_bool_iff in h1, h2, h3, h4, h5, h6, h7, h8. unfold products, candidate, entry. cbn [aaa aab aba abb baa bab bba bbb].
  repeat split; symmetry; assumption.
Qed.

Lemma unit_iff : forall q, within_unit q = true -> 0 <= q <= 1.
Proof. intros q h. unfold within_unit in h. rewrite andb_true_iff, !Qle_bool_iff in h. exact h. Qed.

(** Two tables of products that mix to the shares of the votes add up to the votes. *)
Lemma candidates_add : forall v r, (0 < Keys.size v)%Z -> moments v <> 0%Z -> r <> 0%Z -> (r * r = whole_discriminant v)%Z ->
  forallb is_whole (counts_of r v) = true -> forallb is_whole (counts_of (- r) v) = true ->
  add (candidate r v) (candidate (- r) v) = v.
Proof.
  intros v r positive moving rooted square one two.
  apply candidate_products in one, two. destruct (moments_apart v moving) as [m12 [m13 m23]].
  assert (q := other_prevalence v r positive rooted).
  assert (o1 := other_rate v r positive rooted count1 _ m23 : rate1 (- r) v == _).
  assert (o2 := other_rate v r positive rooted count2 _ m13 : rate2 (- r) v == _).
  assert (o3 := other_rate v r positive rooted count3 _ m12 : rate3 (- r) v == _).
  assert (b1 := one_back v r count1 (moment23 v)). assert (b2 := one_back v r count2 (moment13 v)).
  assert (b3 := one_back v r count3 (moment12 v)).
  assert (b12 := back12 v r positive moving rooted square). assert (b13 := back13 v r positive moving rooted square).
  assert (b23 := back23 v r positive moving rooted square). assert (b123 := back123 v r positive moving rooted square).
  cbv zeta in *. rewrite <- o1 in b1, b12, b13, b123. rewrite <- o2 in b2, b12, b23, b123. rewrite <- o3 in b3, b13, b23, b123.
  fold (rate1 r v) in b1, b12, b13, b123. fold (rate2 r v) in b2, b12, b23, b123. fold (rate3 r v) in b3, b13, b23, b123.
  set (x1 := rate1 r v) in *. set (x2 := rate2 r v) in *. set (x3 := rate3 r v) in *.
  set (y1 := rate1 (- r) v) in *. set (y2 := rate2 (- r) v) in *. set (y3 := rate3 (- r) v) in *.
  set (p := prevalence r v) in *. set (n := inject_Z (Keys.size v)) in *.
  assert (zn : ~ n == 0) by (apply positive_is_not_zero; exact positive).
  destruct one as [s1 [s2 [s3 [s4 [s5 [s6 [s7 s8]]]]]]]. destruct two as [t1 [t2 [t3 [t4 [t5 [t6 [t7 t8]]]]]]].
  rewrite q in t1, t2, t3, t4, t5, t6, t7, t8.
  assert (whole : forall c : table -> Z, inject_Z (c v) == n * share c v) by (intro c; unfold share; fold n; field; exact zn).
  assert (w := whole Keys.size). assert (w1 := whole count1). assert (w2 := whole count2). assert (w3 := whole count3).
  assert (w12 := whole count12). assert (w13 := whole count13). assert (w23 := whole count23). assert (w123 := whole count123).
  rewrite b1 in w1. rewrite b2 in w2. rewrite b3 in w3. rewrite b12 in w12. rewrite b13 in w13. rewrite b23 in w23.
  rewrite b123 in w123. clear w.
  assert (w : inject_Z (Keys.size v) == n) by reflexivity.
  unfold Keys.size, count1, count2, count3, count12, count13, count23, count123 in w, w1, w2, w3, w12, w13, w23, w123.
  rewrite !inject_Z_plus in *.
  destruct v as [v1 v2 v3 v4 v5 v6 v7 v8]. unfold add. cbn [aaa aab aba abb baa bab bba bbb] in *.
  f_equal; apply inject_Z_injective; rewrite inject_Z_plus; [rewrite s1, t1 | rewrite s2, t2 | rewrite s3, t3
    | rewrite s4, t4 | rewrite s5, t5 | rewrite s6, t6 | rewrite s7, t7 | rewrite s8, t8]; lra.
Qed.

Definition silent (v : table) : bool := negb (negative_product v || imaginary v || irrational v || no_root v
  || contradiction v || out_of_range v || not_whole v).

(** None of the seven kinds of alarm fires, exactly if some answer key leaves the errors independent. *)
Theorem silent_iff : forall v, nonnegative v -> (silent v = true <-> has_independent_key v).
Proof.
  intros v low. destruct (Z_lt_dec 0 (Keys.size v)) as [positive | none].
  2: { rewrite (no_questions v low none). split; intros _; [apply decide_iff |]; reflexivity. }
  unfold silent. rewrite negb_true_iff, !orb_false_iff. split.
  - intros [[[[[[np im] ir] nr] co] oor] nw]. destruct (Z.eqb_spec (moments v) 0) as [zero | moving].
    { destruct (key_of_vanishing_moments v positive low zero co) as [h | h]; exact (is_key_sound _ _ h). }
    assert (disc : (0 < whole_discriminant v)%Z).
    { unfold imaginary in im. apply Z.ltb_ge in im. unfold no_root in nr. apply andb_false_iff in nr.
      destruct nr as [nr | nr]; [apply Z.eqb_neq in nr; lia |]. apply negb_false_iff, Z.eqb_eq in nr. contradiction. }
    destruct (root_is v disc ir) as [rp square].
    assert (b : solvable v = true).
    { unfold solvable. rewrite ir, (proj2 (Z.eqb_neq _ _) moving), (proj2 (Z.ltb_lt _ _) disc). reflexivity. }
    unfold out_of_range in oor. rewrite (proj2 (Z.eqb_neq _ _) moving), (proj2 (Z.ltb_lt _ _) disc) in oor.
    cbn [negb andb] in oor. apply negb_false_iff in oor. apply (all_inside_iff v (root v) rp square positive moving) in oor.
    unfold not_whole in nw. rewrite b in nw. cbn [andb] in nw. apply negb_false_iff in nw.
    rewrite forallb_app, andb_true_iff in oor, nw. destruct oor as [in1 in2]. destruct nw as [wh1 wh2].
    assert (sum := candidates_add v (root v) positive moving ltac:(lia) square wh1 wh2).
    assert (key : forall r, forallb within_unit (rates_of r v) = true -> forallb is_whole (counts_of r v) = true ->
      nonnegative (candidate r v) /\ independent_in_z (candidate r v) = true).
    { intros r inside whole. apply candidate_products in whole. unfold rates_of in inside. cbn [forallb] in inside.
      rewrite !andb_true_iff in inside. destruct inside as [i0 [i1 [i2 [i3 _]]]]. apply unit_iff in i0, i1, i2, i3.
      refine (products_key _ _ _ _ _ whole _ i1 i2 i3). apply Qmult_le_0_compat; [| exact (proj1 i0)].
      change 0 with (inject_Z 0). rewrite <- Zle_Qle. lia. }
    destruct (key _ in1 wh1) as [n1 k1]. destruct (key _ in2 wh2) as [n2 k2].
    exists (candidate (root v) v), (candidate (- root v) v).
    exact (conj n1 (conj n2 (conj sum (conj (proj1 (independent_iff _ n1) k1) (proj1 (independent_iff _ n2) k2))))).
  - intro key. repeat split; apply not_true_is_false; intro fires.
    + exact (negative_product_sound v positive fires key).
    + exact (imaginary_sound v positive fires key).
    + exact (irrational_sound v positive fires key).
    + exact (no_root_sound v positive fires key).
    + exact (contradiction_sound v positive fires key).
    + exact (out_of_range_sound v positive fires key).
    + exact (not_whole_sound v positive fires key).
Qed.

(** The classes 0 and 6 are those of votes with such a key, the others those of votes without: see [class_of]. *)
Theorem class_iff : forall v, nonnegative v -> (class_of v = 0%Z \/ class_of v = 6%Z <-> has_independent_key v).
Proof.
  intros v low. destruct (Z_lt_dec 0 (Keys.size v)) as [positive | none].
  2: { rewrite (no_questions v low none). split; intros _; [apply decide_iff | right]; reflexivity. }
  split.
  - intro class. unfold class_of in class.
    destruct (contradiction v) eqn:co; [simpl in class; lia |]. destruct (no_root v) eqn:nr; [simpl in class; lia |].
    cbn [orb] in class. destruct (Z.eqb_spec (moments v) 0) as [zero | moving].
    + destruct (key_of_vanishing_moments v positive low zero co) as [h | h]; exact (is_key_sound _ _ h).
    + destruct (imaginary v) eqn:im; [lia |]. destruct (irrational v) eqn:ir; [lia |].
      destruct (out_of_range v) eqn:oor; [lia |]. destruct (not_whole v) eqn:nw; [lia |].
      apply silent_iff; [exact low |]. unfold silent. rewrite co, nr, im, ir, oor, nw, !orb_false_r.
      apply negb_true_iff. unfold negative_product. apply Z.ltb_ge.
      assert (disc : (0 < whole_discriminant v)%Z).
      { unfold imaginary in im. apply Z.ltb_ge in im. unfold no_root in nr. apply andb_false_iff in nr.
        destruct nr as [nr | nr]; [apply Z.eqb_neq in nr; lia |]. apply negb_false_iff, Z.eqb_eq in nr. contradiction. }
      unfold out_of_range in oor. rewrite (proj2 (Z.eqb_neq _ _) moving), (proj2 (Z.ltb_lt _ _) disc) in oor.
      cbn [negb andb] in oor. apply negb_false_iff in oor. unfold all_inside in oor. rewrite !andb_true_iff in oor.
      destruct oor as [[[square _] _] _]. apply Z.leb_le in square. unfold whole_discriminant in square. lia.
  - intro key. assert (within : (0 <= class_of v <= 6)%Z).
    { unfold class_of. repeat match goal with |- context [if ?b then _ else _] => destruct b end; lia. }
    destruct (Z.eq_dec (class_of v) 0) as [e | e]; [left; exact e |].
    destruct (Z.eq_dec (class_of v) 6) as [f | f]; [right; exact f |].
    exfalso. apply (class_sound v positive); [lia | exact key].
Qed.
