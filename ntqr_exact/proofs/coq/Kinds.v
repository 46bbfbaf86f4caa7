(** The two alarms that look at the solution itself: a rate out of range, and a count that is not whole.

    Where no pair moment vanishes and the discriminant is positive, the votes determine prevalence and rates up to the
    names of the labels: one solution for each sign of the root. Of any independent key they are the rates. Whether they
    lie between 0 and 1 is told in whole numbers, without the root, which may be irrational. *)

From Coq Require Import ZArith QArith Qround Lqa Lia Bool List.
From NtqrExact Require Import Keys Mixture Alarms Completeness Decision.
Import ListNotations.
Open Scope Q_scope.

Definition root (v : table) : Z := Z.sqrt (whole_discriminant v).
Definition solvable (v : table) : bool :=
  negb (moments v =? 0)%Z && (0 <? whole_discriminant v)%Z && negb (irrational v).

Definition within_unit (q : Q) : bool := Qle_bool 0 q && Qle_bool q 1.
Definition is_whole (q : Q) : bool := Qeq_bool q (inject_Z (Qfloor q)).

(** The questions of one label, as the solution with this root has them: all of them, then by answers. *)
Definition counts_of (r : Z) (v : table) : list Q :=
  let n := inject_Z (size v) * prevalence r v in
  let x := rate1 r v in let y := rate2 r v in let z := rate3 r v in
  [n; n * (x * y * z); n * (x * y * (1 - z)); n * (x * (1 - y) * z); n * (x * (1 - y) * (1 - z));
   n * ((1 - x) * y * z); n * ((1 - x) * y * (1 - z)); n * ((1 - x) * (1 - y) * z); n * ((1 - x) * (1 - y) * (1 - z))].
Definition rates_of (r : Z) (v : table) : list Q := [prevalence r v; rate1 r v; rate2 r v; rate3 r v].

(** A rate is (2 count moment + T + root) / (2 size moment) for either sign of the root; whether both are within 0 and 1. *)
Definition rate_inside (v : table) (count moment : Z) : bool :=
  let a := (Z.sgn moment * (2 * count * moment + moment123 v))%Z in
  let w := (2 * Keys.size v * Z.abs moment)%Z in
  ((0 <=? a) && (whole_discriminant v <=? a * a) && (a <=? w) && (whole_discriminant v <=? (w - a) * (w - a)))%Z.
Definition all_inside (v : table) : bool :=
  (moment123 v * moment123 v <=? whole_discriminant v)%Z && rate_inside v (count1 v) (moment23 v)
  && rate_inside v (count2 v) (moment13 v) && rate_inside v (count3 v) (moment12 v).
Definition out_of_range (v : table) : bool :=
  negb (moments v =? 0)%Z && (0 <? whole_discriminant v)%Z && negb (all_inside v).
Definition not_whole (v : table) : bool :=
  solvable v && negb (forallb is_whole (counts_of (root v) v ++ counts_of (- root v) v)).

Lemma add_commutes : forall s t, add s t = add t s.
Proof. intros [] []. unfold add. simpl. f_equal; lia. Qed.

(** Root of the discriminant that belongs to a key. *)
Definition signed_root (s t : table) : Q :=
  let p := inject_Z (Keys.size s) / inject_Z (Keys.size s + Keys.size t) in
  p * (1 - p) * ((share count1 s - share count1 t) * (share count2 s - share count2 t) * (share count3 s - share count3 t))
  * (whole (add s t) * whole (add s t) * whole (add s t)).

Definition splits (v s t : table) : Prop :=
  nonnegative s /\ nonnegative t /\ independent s /\ independent t /\ add s t = v.

Lemma signed_root_swaps : forall s t, ~ inject_Z (Keys.size s + Keys.size t) == 0 ->
  signed_root t s == - signed_root s t.
Proof.
  intros s t n. unfold signed_root. rewrite (add_commutes t s), (Z.add_comm (Keys.size t)).
  rewrite inject_Z_plus in *. field. exact n.
Qed.

Lemma key_for_root : forall v r, (0 < Keys.size v)%Z -> moments v <> 0%Z -> has_independent_key v ->
  (r * r = whole_discriminant v)%Z -> exists s t, splits v s t /\ signed_root s t == inject_Z r.
Proof.
  intros v r positive moving [s [t [ns [nt [sum_is [is it]]]]]] square. subst v.
  assert (e := signed_square s t ns nt is it positive moving). fold (signed_root s t) in e.
  rewrite <- square, inject_Z_mult in e.
  assert (parts : (signed_root s t - inject_Z r) * (signed_root s t + inject_Z r) == 0).
  { transitivity (signed_root s t * signed_root s t - inject_Z r * inject_Z r); [ring |]. rewrite <- e. ring. }
  apply Qmult_integral in parts. destruct parts as [h | h].
  - exists s, t. split; [repeat split; try assumption; apply ns || apply nt |]. lra.
  - exists t, s. split; [unfold splits; rewrite (add_commutes t s); tauto |].
    rewrite signed_root_swaps; [lra |]. apply positive_is_not_zero.
    unfold Keys.size, add in positive. simpl in positive. unfold Keys.size. lia.
Qed.

Lemma unit_of_share : forall n m : Z, (0 <= n <= m)%Z -> (0 < m)%Z ->
  within_unit (inject_Z n / inject_Z m) = true.
Proof.
  intros n m h p. destruct (part_within n m) as [low high]; try lia.
  unfold within_unit. apply andb_true_iff. split; apply Qle_bool_iff; assumption.
Qed.

Lemma within_unit_same : forall q r, q == r -> within_unit r = true -> within_unit q = true.
Proof.
  intros q r e h. unfold within_unit in *. apply andb_true_iff in h. destruct h as [low high].
  apply Qle_bool_iff in low, high. apply andb_true_iff. split; apply Qle_bool_iff; rewrite e; assumption.
Qed.

Lemma is_whole_same : forall q z, q == inject_Z z -> is_whole q = true.
Proof. intros q z e. unfold is_whole. apply Qeq_bool_iff. rewrite (floor_of_whole q z e). exact e. Qed.

Lemma solution_of_key : forall v r s t, (0 < Keys.size v)%Z -> moments v <> 0%Z -> splits v s t ->
  signed_root s t == inject_Z r ->
  forallb within_unit (rates_of r v) = true /\ forallb is_whole (counts_of r v) = true.
Proof.
  intros v r s t positive moving [ns [nt [is [it e]]]] rooted. subst v.
  assert (p := prevalence_found s t ns nt is it positive moving r rooted).
  destruct (rates_found s t ns nt is it positive moving r rooted) as [h1 [h2 h3]].
  destruct (both_labels s t ns nt is it positive moving) as [ps pt].
  destruct (entries s t ns nt is it positive moving) as [x1 [x2 [x3 [x4 [x5 [x6 [x7 x8]]]]]]].
  assert (sizes : Keys.size (add s t) = (Keys.size s + Keys.size t)%Z) by (unfold Keys.size, add; simpl; lia).
  assert (n : inject_Z (Keys.size (add s t)) * prevalence r (add s t) == inject_Z (Keys.size s)).
  { rewrite p, sizes. field. apply positive_is_not_zero. lia. }
  split; unfold rates_of, counts_of; cbn [forallb]; rewrite !andb_true_iff; repeat split.
  - apply (within_unit_same _ _ p). apply unit_of_share; lia.
  - apply (within_unit_same _ _ h1). apply unit_of_share; [unfold nonnegative, count1, Keys.size in *; lia | lia].
  - apply (within_unit_same _ _ h2). apply unit_of_share; [unfold nonnegative, count2, Keys.size in *; lia | lia].
  - apply (within_unit_same _ _ h3). apply unit_of_share; [unfold nonnegative, count3, Keys.size in *; lia | lia].
  - exact (is_whole_same _ _ n).
  - apply (is_whole_same _ (aaa s)). rewrite n, h1, h2, h3, x1. reflexivity.
  - apply (is_whole_same _ (aab s)). rewrite n, h1, h2, h3, x2. reflexivity.
  - apply (is_whole_same _ (aba s)). rewrite n, h1, h2, h3, x3. reflexivity.
  - apply (is_whole_same _ (abb s)). rewrite n, h1, h2, h3, x4. reflexivity.
  - apply (is_whole_same _ (baa s)). rewrite n, h1, h2, h3, x5. reflexivity.
  - apply (is_whole_same _ (bab s)). rewrite n, h1, h2, h3, x6. reflexivity.
  - apply (is_whole_same _ (bba s)). rewrite n, h1, h2, h3, x7. reflexivity.
  - apply (is_whole_same _ (bbb s)). rewrite n, h1, h2, h3, x8. reflexivity.
Qed.

Lemma root_square : forall v, irrational v = false -> (root v * root v = whole_discriminant v)%Z.
Proof. intros v square. unfold irrational in square. apply negb_false_iff, Z.eqb_eq in square. exact square. Qed.

Lemma solved_by_key : forall v, (0 < Keys.size v)%Z -> solvable v = true -> has_independent_key v ->
  (forallb within_unit (rates_of (root v) v ++ rates_of (- root v) v) = true) /\
  (forallb is_whole (counts_of (root v) v ++ counts_of (- root v) v) = true).
Proof.
  intros v positive solved key. unfold solvable in solved. rewrite !andb_true_iff, !negb_true_iff in solved.
  destruct solved as [[moving _] square]. apply Z.eqb_neq in moving.
  apply root_square in square.
  destruct (key_for_root v (root v) positive moving key square) as [s [t [split_up rooted]]].
  destruct (key_for_root v (- root v) positive moving key ltac:(lia)) as [s' [t' [split_up' rooted']]].
  destruct (solution_of_key v _ s t positive moving split_up rooted) as [a b].
  destruct (solution_of_key v _ s' t' positive moving split_up' rooted') as [a' b'].
  rewrite !forallb_app, a, b, a', b'. split; reflexivity.
Qed.

(** The whole numbers tell of a rational root whether all rates are within 0 and 1. *)
Lemma ratio_within : forall b d : Z, d <> 0%Z ->
  (within_unit (inject_Z b / inject_Z d) = true <-> (0 <= Z.sgn d * b <= Z.abs d)%Z).
Proof.
  intros b d n. unfold within_unit. rewrite andb_true_iff, !Qle_bool_iff.
  unfold Qle, Qdiv, Qmult, Qinv, inject_Z. destruct d as [| d | d]; [contradiction | |];
    cbn [Qnum Qden Z.sgn Z.abs]; rewrite ?Pos.mul_1_l, ?Z.mul_1_r; lia.
Qed.

Lemma rate_is_ratio : forall r v c moment, (0 < r)%Z -> (0 < Keys.size v)%Z -> moment <> 0%Z -> forall e, (e = r \/ e = - r)%Z ->
  inject_Z c / inject_Z (Keys.size v) + (1 - prevalence e v) * (inject_Z e / (inject_Z (Keys.size v) * inject_Z moment))
  == inject_Z (2 * c * moment + moment123 v + e) / inject_Z (2 * Keys.size v * moment).
Proof.
  intros r v c moment rp positive moving e sign. unfold prevalence.
  assert (n := positive_is_not_zero _ positive).
  assert (en : ~ inject_Z e == 0) by (intro z; apply zero_in_q in z; lia).
  assert (mn : ~ inject_Z moment == 0) by (intro z; apply zero_in_q in z; contradiction).
  rewrite !inject_Z_plus, !inject_Z_mult. change (inject_Z 2) with 2. field. repeat split; assumption.
Qed.

Lemma rate_inside_iff : forall r v c moment, (0 < r)%Z -> (r * r = whole_discriminant v)%Z -> (0 < Keys.size v)%Z ->
  moment <> 0%Z ->
  let rate e := inject_Z c / inject_Z (Keys.size v)
    + (1 - prevalence e v) * (inject_Z e / (inject_Z (Keys.size v) * inject_Z moment)) in
  (rate_inside v c moment = true <-> within_unit (rate r) = true /\ within_unit (rate (- r)%Z) = true).
Proof.
  intros r v c moment rp square positive moving rate.
  assert (same : forall e, (e = r \/ e = - r)%Z -> (within_unit (rate e) = true <->
    (0 <= Z.sgn moment * (2 * c * moment + moment123 v + e) <= 2 * Keys.size v * Z.abs moment)%Z)).
  { intros e sign. assert (q := rate_is_ratio r v c moment rp positive moving e sign). fold (rate e) in q.
    assert (d : (2 * Keys.size v * moment <> 0)%Z) by (intro z; apply Z.mul_eq_0 in z; lia).
    assert (k := ratio_within (2 * c * moment + moment123 v + e) (2 * Keys.size v * moment) d).
    rewrite Z.abs_mul, Z.sgn_mul, (Z.abs_eq (2 * Keys.size v)), (Z.sgn_pos (2 * Keys.size v)), Z.mul_1_l in k by lia.
    rewrite <- k. split; apply within_unit_same; [symmetry |]; exact q. }
  rewrite (same r), (same (- r)%Z) by tauto. unfold rate_inside. rewrite !andb_true_iff, !Z.leb_le, <- square.
  set (b := (2 * c * moment + moment123 v)%Z). set (w := (2 * Keys.size v * Z.abs moment)%Z).
  assert (s : (Z.sgn moment = 1 \/ Z.sgn moment = -1)%Z) by lia. clear - rp s.
  split.
  - intros [[[low one] high] two].
    assert (r <= Z.sgn moment * b)%Z by (apply Z.square_le_simpl_nonneg; assumption).
    assert (r <= w - Z.sgn moment * b)%Z by (apply Z.square_le_simpl_nonneg; [lia | assumption]).
    destruct s as [s | s]; rewrite s in *; lia.
  - intros [[a1 a2] [a3 a4]].
    assert (h : (r <= Z.sgn moment * b /\ r <= w - Z.sgn moment * b)%Z) by (destruct s as [s | s]; rewrite s in *; lia).
    destruct h as [h k]. repeat split; try lia; apply Z.square_le_mono_nonneg; lia.
Qed.

Lemma moments_apart : forall v, moments v <> 0%Z -> moment12 v <> 0%Z /\ moment13 v <> 0%Z /\ moment23 v <> 0%Z.
Proof. intros v h. unfold moments in h. repeat split; intro z; apply h; rewrite z; ring. Qed.

Lemma all_inside_iff : forall v r, (0 < r)%Z -> (r * r = whole_discriminant v)%Z -> (0 < Keys.size v)%Z ->
  moments v <> 0%Z -> (all_inside v = true <-> forallb within_unit (rates_of r v ++ rates_of (- r) v) = true).
Proof.
  intros v r rp square positive moving. destruct (moments_apart v moving) as [n12 [n13 n23]].
  unfold all_inside. rewrite !andb_true_iff, Z.leb_le, <- square.
  rewrite (rate_inside_iff r v (count1 v) (moment23 v)), (rate_inside_iff r v (count2 v) (moment13 v)),
    (rate_inside_iff r v (count3 v) (moment12 v)) by assumption.
  assert (p : forall e, (e = r \/ e = - r)%Z -> (within_unit (prevalence e v) = true <->
    (0 <= Z.sgn e * (e - moment123 v) <= 2 * Z.abs e)%Z)).
  { intros e sign. assert (k := ratio_within (e - moment123 v) (2 * e) ltac:(lia)).
    rewrite Z.abs_mul, Z.sgn_mul in k. change (Z.sgn 2) with 1%Z in k. rewrite Z.mul_1_l in k. change (Z.abs 2) with 2%Z in k.
    rewrite <- k. assert (q : prevalence e v == inject_Z (e - moment123 v) / inject_Z (2 * e)).
    { unfold prevalence, Z.sub. rewrite inject_Z_plus, inject_Z_opp, inject_Z_mult. reflexivity. }
    split; apply within_unit_same; [symmetry |]; exact q. }
  rewrite forallb_app. unfold rates_of. cbn [forallb]. rewrite !andb_true_iff, (p r), (p (- r)%Z) by tauto.
  unfold rate1, rate2, rate3, share.
  assert (t : (moment123 v * moment123 v <= r * r <-> - r <= moment123 v <= r)%Z).
  { rewrite <- (Z.abs_square (moment123 v)). split; intro h.
    - assert (Z.abs (moment123 v) <= r)%Z by (apply Z.square_le_simpl_nonneg; lia). lia.
    - apply Z.square_le_mono_nonneg; lia. }
  rewrite t. assert (rs : Z.sgn r = 1%Z) by lia. assert (rn : Z.sgn (- r) = (-1)%Z) by lia. rewrite rs, rn.
  assert (u : (- r <= moment123 v <= r <-> 0 <= 1 * (r - moment123 v) <= 2 * Z.abs r)%Z) by lia.
  assert (u' : (- r <= moment123 v <= r <-> 0 <= -1 * (- r - moment123 v) <= 2 * Z.abs (- r))%Z) by lia.
  intuition idtac.
Qed.

Lemma root_is : forall v, (0 < whole_discriminant v)%Z -> irrational v = false ->
  (0 < root v)%Z /\ (root v * root v = whole_discriminant v)%Z.
Proof.
  intros v positive square. apply root_square in square. split; [| exact square].
  assert (h : (0 <= root v)%Z) by (unfold root; apply Z.sqrt_nonneg). nia.
Qed.

Theorem out_of_range_sound : forall v, (0 < Keys.size v)%Z -> out_of_range v = true -> ~ has_independent_key v.
Proof.
  intros v positive fires key. unfold out_of_range in fires. rewrite !andb_true_iff in fires.
  destruct fires as [[moving disc] bad]. destruct (irrational v) eqn:i; [exact (irrational_sound v positive i key) |].
  assert (solved : solvable v = true) by (unfold solvable; rewrite moving, disc, i; reflexivity).
  apply Z.ltb_lt in disc. apply negb_true_iff, Z.eqb_neq in moving. destruct (root_is v disc i) as [rp square].
  rewrite (proj2 (all_inside_iff v (root v) rp square positive moving) (proj1 (solved_by_key v positive solved key))) in bad.
  discriminate.
Qed.

Theorem not_whole_sound : forall v, (0 < Keys.size v)%Z -> not_whole v = true -> ~ has_independent_key v.
Proof.
  intros v positive fires key. unfold not_whole in fires. apply andb_true_iff in fires. destruct fires as [solved bad].
  rewrite (proj2 (solved_by_key v positive solved key)) in bad. discriminate.
Qed.

(** The classes of the census by number: 0 a key is determined, 1 not whole, 2 out of range, 3 irrational,
    4 imaginary, 5 contradictory, 6 a family with a key; that 0 and 6 have keys, [class_iff] in [Silence] says. *)
Open Scope Z_scope.
Definition class_of (v : table) : Z :=
  if contradiction v || no_root v then 5
  else if moments v =? 0 then 6
  else if imaginary v then 4
  else if irrational v then 3
  else if out_of_range v then 2
  else if not_whole v then 1
  else 0.

Theorem class_sound : forall v, 0 < Keys.size v -> 1 <= class_of v <= 5 -> ~ has_independent_key v.
Proof.
  intros v positive. unfold class_of.
  destruct (contradiction v) eqn:c; [intros _; exact (contradiction_sound v positive c) |].
  destruct (no_root v) eqn:n; [intros _; exact (no_root_sound v positive n) |]. cbn [orb].
  destruct (moments v =? 0) eqn:m; [lia |].
  destruct (imaginary v) eqn:i; [intros _; exact (imaginary_sound v positive i) |].
  destruct (irrational v) eqn:r; [intros _; exact (irrational_sound v positive r) |].
  destruct (out_of_range v) eqn:o; [intros _; exact (out_of_range_sound v positive o) |].
  destruct (not_whole v) eqn:w; [intros _; exact (not_whole_sound v positive w) |]. lia.
Qed.
