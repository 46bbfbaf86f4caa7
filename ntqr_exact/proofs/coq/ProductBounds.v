(** Bounds that are multiplied hold, and so do roots, corners and trios of them: what the cells are made of. *)

From Coq Require Import ZArith QArith Qabs Qminmax Lqa List Lia Bool PeanoNat.
From NtqrExact Require Import Questions Dependence Budget Products.
Import ListNotations.
Open Scope Q_scope.

Lemma at_most_false : forall x y, Qle_bool x y = false -> y < x.
Proof. intros x y h. apply Qnot_le_lt. intro le. apply Qle_bool_iff in le. congruence. Qed.
Lemma one_times : forall a b c d : Q, 0 <= a -> a <= b -> 0 <= c -> c <= d -> a * c <= b * d.
Proof.
  intros a b c d pa ab pc cd. assert (0 <= (b - a) * c) by (apply Qmult_le_0_compat; lra).
  assert (0 <= b * (d - c)) by (apply Qmult_le_0_compat; lra). lra.
Qed.
Lemma cancelled : forall a b c : Q, 0 < c -> a * c <= b * c -> a <= b.
Proof. intros a b c p h. apply (Qmult_le_r a b c p). exact h. Qed.
Lemma no_product : forall a b : Q, 0 <= a -> 0 < b -> a * b <= 0 -> a == 0.
Proof.
  intros a b pa pb h. assert (a <= 0); [| lra]. apply (cancelled a 0 b pb). lra.
Qed.

(** Numbers of nodes as fractions, whose denominators may be 0: m q / |d| if d is 0. *)
Section Bounds.
  Variables (judges : nat) (m q : Q) (d : nat -> Q).
  Hypothesis some_m : 0 < m.
  Hypothesis some_q : 0 < q.

  Definition top (x : node) : Q :=
    match x with
    | Up i => if Nat.eqb i judges then q else Qabs (d i)
    | Down i => if Nat.eqb i judges then m else m * q
    end.
  Definition under (x : node) : Q :=
    match x with
    | Up _ => 1
    | Down i => if Nat.eqb i judges then 1 else Qabs (d i)
    end.
  Definition holds (x y : node) (c : option Q) : Prop :=
    match c with None => True | Some b => 0 <= b /\ top x * under y <= b * (top y * under x) end.
  Definition table_holds (b : table) : Prop :=
    Forall2 (fun x row => Forall2 (holds x) (nodes judges) row) (nodes judges) b.

  Lemma mq : 0 < m * q.
  Proof. apply Qmult_lt_0_compat; assumption. Qed.
  Lemma top_low : forall x, 0 <= top x.
  Proof. intros [i | i]; simpl; destruct (Nat.eqb i judges); try (apply Qlt_le_weak; assumption);
    [apply Qabs_nonneg | apply Qlt_le_weak, mq]. Qed.
  Lemma under_low : forall x, 0 <= under x.
  Proof. intros [i | i]; simpl; try destruct (Nat.eqb i judges); try apply Qabs_nonneg; lra. Qed.
  Lemma not_both : forall x, 0 < top x \/ 0 < under x.
  Proof.
    intros [i | i]; simpl; [right; lra |]. left. destruct (Nat.eqb i judges); [assumption | apply mq].
  Qed.

  Lemma chain : forall x y z b c, holds x y (Some b) -> holds y z (Some c) -> holds x z (Some (b * c)).
  Proof.
    intros x y z b c [pb hb] [pc hc]. split; [apply Qmult_le_0_compat; assumption |].
    assert (tx := top_low x). assert (ty := top_low y). assert (tz := top_low z).
    assert (ux := under_low x). assert (uy := under_low y). assert (uz := under_low z).
    assert (right : 0 <= b * c * (top z * under x)) by (repeat apply Qmult_le_0_compat; assumption).
    destruct (Qlt_le_dec 0 (top y)) as [py | zy]; [destruct (Qlt_le_dec 0 (under y)) as [qy | wy] |].
    - apply (cancelled _ _ (top y * under y)); [apply Qmult_lt_0_compat; assumption |].
      setoid_replace (top x * under z * (top y * under y)) with (top x * under y * (top y * under z)) by ring.
      setoid_replace (b * c * (top z * under x) * (top y * under y))
        with (b * (top y * under x) * (c * (top z * under y))) by ring.
      apply one_times; try assumption; apply Qmult_le_0_compat; assumption.
    - assert (e : under y == 0) by lra. rewrite e in hc. ring_simplify in hc.
      assert (z0 : under z == 0) by (apply (no_product _ (top y)); try assumption; lra). rewrite z0. lra.
    - assert (e : top y == 0) by lra. rewrite e in hb. ring_simplify in hb.
      destruct (not_both y) as [h | h]; [lra |].
      assert (z0 : top x == 0) by (apply (no_product _ (under y)); try assumption; lra). rewrite z0. lra.
  Qed.

  Lemma less_holds : forall x y c e, holds x y c -> holds x y e -> holds x y (less c e).
  Proof. intros x y [a |] [b |] h k; simpl; try assumption. destruct (Qle_bool a b); assumption. Qed.
  Lemma product_holds : forall x y z c e, holds x y c -> holds y z e -> holds x z (product c e).
  Proof.
    intros x y z [a |] [b |] h k; try exact I. assert (c := chain x y z a b h k). unfold product, holds in *.
    rewrite Qred_correct. exact c.
  Qed.
  Lemma known_holds : forall x y c, top x * under y <= c * (top y * under x) -> holds x y (known c).
  Proof.
    intros x y c h. unfold known. destruct (Qle_bool 0 c) eqn:e; [| exact I]. apply Qle_bool_iff in e. unfold holds.
    rewrite Qred_correct. split; assumption.
  Qed.

  (** Lists that belong to the nodes. *)
  Lemma nth_holds : forall {X Y} (R : X -> Y -> Prop) xs ys k x y, Forall2 R xs ys -> nth_error xs k = Some x ->
    R x (nth k ys y).
  Proof.
    intros X Y R xs ys k x y all. revert k. induction all as [| a b xs ys here all step]; intros [| k] e; try discriminate.
    - inversion e. subst. exact here.
    - apply step. exact e.
  Qed.
  Lemma place_is : forall x, (match x with Up i | Down i => i end <= judges)%nat ->
    nth_error (nodes judges) (place judges x) = Some x.
  Proof.
    assert (look : forall n i (f : nat -> node), (i < n)%nat -> nth_error (map f (seq 0 n)) i = Some (f i)).
    { intros n i f h. rewrite nth_error_map, (nth_error_nth' _ O) by (rewrite seq_length; exact h).
      rewrite seq_nth by exact h. reflexivity. }
    intros [i | i] h; unfold nodes, place.
    - rewrite nth_error_app1 by (rewrite map_length, seq_length; lia). apply look. lia.
    - rewrite nth_error_app2 by (rewrite map_length, seq_length; lia). rewrite map_length, seq_length.
      replace (S judges + i - S judges)%nat with i by lia. apply look. lia.
  Qed.
  Lemma bound_holds : forall b x y, table_holds b -> (match x with Up i | Down i => i end <= judges)%nat ->
    (match y with Up i | Down i => i end <= judges)%nat -> holds x y (bound judges b x y).
  Proof.
    intros b x y all hx hy. unfold bound. apply (nth_holds (holds x) (nodes judges)); [| apply place_is; exact hy].
    exact (nth_holds _ _ _ _ _ [] all (place_is x hx)).
  Qed.

  Lemma zipped_holds : forall (R S T : node -> option Q -> Prop) f xs, (forall x c e, R x c -> S x e -> T x (f c e)) ->
    forall row other, Forall2 R xs row -> Forall2 S xs other -> Forall2 T xs (zipped f row other).
  Proof.
    intros R S T f xs joined row other all. revert other.
    induction all as [| x c xs row here all step]; intros other more; inversion more; subst; simpl; constructor.
    - apply joined; assumption.
    - apply step. assumption.
  Qed.
  Lemma tabulated_holds : forall f, (forall x y, In x (nodes judges) -> In y (nodes judges) -> holds x y (f x y)) ->
    table_holds (tabulated judges f).
  Proof.
    intros f all. unfold table_holds, tabulated. revert all. generalize (nodes judges) at 2 3 5 as ys.
    generalize (nodes judges) as xs. intros xs ys all. induction xs as [| x xs step]; simpl; [constructor |].
    constructor; [| apply step; intros; apply all; simpl; tauto].
    clear step. induction ys as [| y ys more]; simpl; [constructor |].
    constructor; [apply all; simpl; tauto | apply more; intros; apply all; simpl in *; tauto].
  Qed.
  Lemma both_holds : forall b c, table_holds b -> table_holds c -> table_holds (both b c).
  Proof.
    intros b c. unfold table_holds, both. generalize (nodes judges) at 2 4 6 as xs. intros xs all. revert c.
    induction all as [| x row xs b here all step]; intros c more; inversion more; subst; simpl; constructor.
    - apply (zipped_holds (holds x) (holds x)); try assumption. intros; apply less_holds; assumption.
    - apply step. assumption.
  Qed.
  Lemma through_holds : forall y b, (match y with Up i | Down i => i end <= judges)%nat -> table_holds b ->
    table_holds (through judges y b).
  Proof.
    intros y b hy all. assert (row_y := nth_holds _ _ _ _ _ [] all (place_is y hy)). simpl in row_y.
    unfold through. revert row_y. generalize (nth (place judges y) b []) as second. intros second row_y.
    unfold table_holds in *.
    revert all. generalize (nodes judges) at 2 4 as xs. intros xs all.
    induction all as [| x row xs b' here all step]; simpl; constructor.
    - assert (first_holds := nth_holds _ _ _ _ _ None here (place_is y hy)). simpl in first_holds.
      destruct (nth (place judges y) row None) as [first |]; [| exact here].
      apply (zipped_holds (holds x) (holds x)); [intros; apply less_holds; assumption | exact here |].
      clear - row_y first_holds some_m some_q. induction row_y as [| z c zs rest here more step]; simpl; [constructor |].
      constructor; [| exact step]. apply (product_holds x y z (Some first) c); assumption.
    - exact step.
  Qed.
  Lemma multiplied_holds : forall middles b, (forall y, In y middles ->
    (match y with Up i | Down i => i end <= judges)%nat) ->
    table_holds b -> table_holds (multiplied judges middles b).
  Proof.
    induction middles as [| y middles step]; intros b known all; simpl; [exact all |].
    apply step; [intros z there; apply known; right; exact there |].
    apply through_holds; [apply known; left; reflexivity | exact all].
  Qed.
  Lemma nodes_known : forall y, In y (nodes judges) -> (match y with Up i | Down i => i end <= judges)%nat.
  Proof.
    intros y there. unfold nodes in there. apply in_app_or in there.
    destruct there as [h | h]; apply in_map_iff in h; destruct h as [i [<- h]]; apply in_seq in h; lia.
  Qed.

  Lemma no_contradiction : forall b, table_holds b -> contradicts judges b = false.
  Proof.
    intros b all. destruct (contradicts judges b) eqn:e; [exfalso | reflexivity].
    unfold contradicts in e. apply existsb_exists in e. destruct e as [i [there e]]. apply in_seq in there.
    apply andb_true_iff in e. destruct e as [e sure].
    assert (positive : forall x, x = Up i \/ x = Down i -> 0 < top x * under x).
    { assert (far : Nat.eqb i judges = false -> 0 < Qabs (d i)).
      { intro no. rewrite no in sure. simpl in sure.
      assert (h := bound_holds b (Down i) (Up i) all ltac:(simpl; lia) ltac:(simpl; lia)).
        destruct (bound judges b (Down i) (Up i)) as [c |]; [| discriminate]. simpl in h. rewrite no in h.
        destruct h as [pc h].
        destruct (Qlt_le_dec 0 (Qabs (d i))) as [p | p]; [exact p |]. assert (z := Qabs_nonneg (d i)).
        assert (e0 : Qabs (d i) == 0) by lra. rewrite e0 in h. assert (k := mq). lra. }
      intros x [-> | ->]; simpl; destruct (Nat.eqb i judges) eqn:no; specialize (far) || idtac.
      - lra.
      - specialize (far eq_refl). lra.
      - lra.
      - apply Qmult_lt_0_compat; [apply mq | exact (far eq_refl)]. }
    assert (never : forall x, x = Up i \/ x = Down i -> falls judges b x = false).
    { intros x which. unfold falls.
    assert (h := bound_holds b x x all ltac:(destruct which; subst; simpl; lia) ltac:(destruct which; subst; simpl; lia)).
      destruct (bound judges b x x) as [c |]; [| reflexivity]. destruct h as [_ h]. apply negb_false_iff, Qle_bool_iff.
      apply (cancelled _ _ _ (positive x which)). lra. }
    rewrite (never (Up i)), (never (Down i)) in e by tauto. discriminate.
  Qed.
End Bounds.

(** Where a key is: its share of the label 0, and its rates of the answer 0 on both labels. *)
Definition between (part whole : Q) (e : ends) : Prop := fst e * whole <= part /\ part <= snd e * whole.
Definition in_cell (judges : nat) (m q : Q) (r0 r1 : nat -> Q) (c : cell) : Prop :=
  between m (m + q) (fst c) /\ length (snd c) = judges /\
  forall i, (i < judges)%nat -> between (r0 i) m (fst (nth i (snd c) ((0, 1), (0, 1))))
                             /\ between (r1 i) q (snd (nth i (snd c) ((0, 1), (0, 1)))).

Lemma abs_le : forall x y, Qabs x <= y <-> - y <= x /\ x <= y.
Proof. intros. apply Qabs_Qle_condition. Qed.

Lemma squares : forall x y : Q, 0 <= y -> x * x <= y * y -> x <= y.
Proof.
  intros x y py h. destruct (Qlt_le_dec y x) as [k | k]; [| exact k].
  assert (z := times_less y y x x py py k k). lra.
Qed.
Lemma root_above_holds : forall x, 0 <= x -> 0 < root_above x /\ x <= root_above x * root_above x.
Proof.
  intros [a b] px. unfold root_above, Qle, Qlt in *. simpl in *. rewrite Z.mul_1_r in px.
  change (Z.pow_pos 10 24) with 1000000000000000000000000%Z. set (v := (a * 1000000000000000000000000 / Z.pos b)%Z).
  assert (pv : (0 <= v)%Z) by (apply Z.div_pos; lia). assert (s := Z.sqrt_spec v pv). assert (r := Z.sqrt_nonneg v).
  assert (u := Z.mul_succ_div_gt (a * 1000000000000000000000000) (Z.pos b) ltac:(lia)). fold v in u.
  unfold Z.succ in *. split; [rewrite Z.mul_1_r; lia |].
  assert (k : (Z.pos b * Z.succ v <= Z.pos b * ((Z.sqrt v + 1) * (Z.sqrt v + 1)))%Z)
    by (apply Z.mul_le_mono_nonneg_l; lia).
  lia.
Qed.
Lemma one_over_holds : forall x y c, 0 <= y -> (forall b, c = Some b -> x <= b * y) -> one_over c * x <= y.
Proof.
  intros x y [b |] py h; simpl; [| lra]. destruct (Qle_bool b 0) eqn:e; [lra |]. apply at_most_false in e.
  apply (cancelled _ _ b e). setoid_replace (/ b * x * b) with x by (field; lra). specialize (h b eq_refl). lra.
Qed.
Lemma max_least : forall a b x y : Q, a * x <= y -> b * x <= y -> Qmax a b * x <= y.
Proof. intros a b x y ha hb. destruct (Q.max_spec a b) as [[_ e] | [_ e]]; rewrite e; assumption. Qed.
Lemma min_most : forall a b x y : Q, y <= a * x -> y <= b * x -> y <= Qmin a b * x.
Proof. intros a b x y ha hb. destruct (Q.min_spec a b) as [[_ e] | [_ e]]; rewrite e; assumption. Qed.

(** The signed square of rho - 1 / rho falls as the share m / n grows. *)
Lemma inverse_falls : forall a b : Q, 0 < a -> a <= b -> / b <= / a.
Proof.
  intros a b pa h. apply (cancelled _ _ (a * b)); [apply Qmult_lt_0_compat; lra |].
  setoid_replace (/ b * (a * b)) with a by (field; lra). setoid_replace (/ a * (a * b)) with b by (field; lra). exact h.
Qed.
Lemma tilt_is : forall p, 0 < p -> p < 1 ->
  (2 * p <= 1 /\ tilt p == / (p * (1 - p)) - 4) \/ (1 <= 2 * p /\ tilt p == 4 - / (p * (1 - p))).
Proof.
  intros p a b. unfold tilt. destruct (Qlt_le_dec 1 (2 * p)) as [h | h]; [right | left]; (split; [lra |]).
  - rewrite Qabs_neg by lra. field. lra.
  - rewrite Qabs_pos by lra. field. lra.
Qed.
Lemma square_low : forall x : Q, 0 <= x * x.
Proof.
  intro x. destruct (Qlt_le_dec x 0) as [h | h]; [setoid_replace (x * x) with (- x * - x) by ring |];
    apply Qmult_le_0_compat; lra.
Qed.
Lemma tilt_falls : forall a b, 0 < a -> a <= b -> b < 1 -> tilt b <= tilt a.
Proof.
  intros a b pa h pb.
  assert (xa : 0 < a * (1 - a)) by (apply Qmult_lt_0_compat; lra).
  assert (xb : 0 < b * (1 - b)) by (apply Qmult_lt_0_compat; lra).
  assert (four : forall p, 0 < p * (1 - p) -> 4 <= / (p * (1 - p))).
  { intros p pp. apply (cancelled _ _ _ pp). rewrite (Qmult_comm (/ _)), Qmult_inv_r by lra.
    assert (k := square_low (1 - 2 * p)). lra. }
  assert (fa := four a xa). assert (fb := four b xb).
  destruct (tilt_is a pa ltac:(lra)) as [[ha ->] | [ha ->]]; destruct (tilt_is b ltac:(lra) pb) as [[hb ->] | [hb ->]];
    try lra.
  - assert (0 <= (b - a) * (1 - a - b)) by (apply Qmult_le_0_compat; lra).
    assert (k := inverse_falls (a * (1 - a)) (b * (1 - b)) xa ltac:(lra)). lra.
  - assert (ea : a == 1 # 2) by lra. assert (eb : b == 1 # 2) by lra. rewrite ea, eb. vm_compute. discriminate.
  - assert (0 <= (b - a) * (a + b - 1)) by (apply Qmult_le_0_compat; lra).
    assert (k := inverse_falls (b * (1 - b)) (a * (1 - a)) xb ltac:(lra)). lra.
Qed.
Lemma signed_square_grows : forall a b, a <= b -> signed_square a <= signed_square b.
Proof.
  intros a b h. unfold signed_square. assert (sa := square_low a). assert (sb := square_low b).
  destruct (size_of a) as [[pa ->] | [pa ->]]; destruct (size_of b) as [[pb ->] | [pb ->]]; try lra.
  - apply one_times; assumption.
  - assert (a == 0 /\ b == 0) as [-> ->] by lra. lra.
  - assert (k := one_times (- b) (- a) (- b) (- a) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)). lra.
Qed.
Lemma signed_square_times : forall x c, 0 <= c -> signed_square (x * c) == signed_square x * (c * c).
Proof. intros x c pc. unfold signed_square. rewrite Qabs_Qmult, (Qabs_pos c pc). ring. Qed.
Lemma corner_most : forall o l h t T : Q, 0 <= o -> l <= o -> o <= h -> t <= T -> o * t <= Qmax (l * T) (h * T).
Proof.
  intros o l h t T po lo oh tT. assert (0 <= o * (T - t)) by (apply Qmult_le_0_compat; lra).
  destruct (Qlt_le_dec T 0) as [n | n].
  - assert (0 <= (o - l) * - T) by (apply Qmult_le_0_compat; lra). assert (z := Q.le_max_l (l * T) (h * T)). lra.
  - assert (0 <= (h - o) * T) by (apply Qmult_le_0_compat; lra). assert (z := Q.le_max_r (l * T) (h * T)). lra.
Qed.
Lemma corner_least : forall o l h t T : Q, 0 <= o -> l <= o -> o <= h -> t <= T -> Qmin (l * t) (h * t) <= o * T.
Proof.
  intros o l h t T po lo oh tT. assert (0 <= o * (T - t)) by (apply Qmult_le_0_compat; lra).
  destruct (Qlt_le_dec t 0) as [n | n].
  - assert (0 <= (h - o) * - t) by (apply Qmult_le_0_compat; lra). assert (z := Q.le_min_r (l * t) (h * t)). lra.
  - assert (0 <= (o - l) * t) by (apply Qmult_le_0_compat; lra). assert (z := Q.le_min_l (l * t) (h * t)). lra.
Qed.
(** The part of a range that is nearest to a half has the largest p (1 - p). *)
Lemma nearest_half : forall p least most, least <= p -> p <= most ->
  let middle := Qmin (Qmax least (1 # 2)) most in p * (1 - p) <= middle * (1 - middle).
Proof.
  intros p least most a b middle. unfold middle.
  destruct (Q.max_spec least (1 # 2)) as [[h e] | [h e]]; rewrite e;
    match goal with |- context [Qmin ?x ?y] => destruct (Q.min_spec x y) as [[k f] | [k f]]; rewrite f end.
  - assert (z := square_low ((1 # 2) - p)). lra.
  - assert (0 <= (most - p) * (1 - most - p)) by (apply Qmult_le_0_compat; lra). lra.
  - assert (0 <= (p - least) * (least + p - 1)) by (apply Qmult_le_0_compat; lra). lra.
  - assert (same : p == most) by lra. rewrite same. lra.
Qed.

(** Ranges of m. *)
Lemma last_after : forall (xs : list Z) x before, last (x :: xs) before = last xs x.
Proof. induction xs as [| y xs step]; intros x before; [reflexivity |]. rewrite (step y x), <- (step y before).
reflexivity. Qed.
Lemma each_range_finds : forall f (found : cell -> Prop) n whole, (0 < whole < n)%Z ->
  (forall start stop, (0 < start)%Z -> (stop < n)%Z -> (start <= whole <= stop)%Z ->
    exists c, In c (f start stop) /\ found c) ->
  forall cuts start, (0 < start <= whole)%Z -> last cuts start = n ->
    forallb (fun c => (1 <=? c) && (c <=? n))%Z cuts = true ->
  exists c, In c (each_range f start cuts) /\ found c.
Proof.
  intros f found n whole inside all cuts. induction cuts as [| stop cuts step]; intros start from to known.
  - simpl in to. lia.
  - cbn [each_range]. simpl in known. rewrite !andb_true_iff, !Z.leb_le in known. destruct known as [[low high] known].
    destruct (Z_lt_le_dec whole stop) as [h | h].
    + destruct (all start (stop - 1)%Z) as [c [there is_found]]; try lia. exists c.
    split; [apply in_or_app; left |]; assumption.
    + rewrite last_after in to. destruct (step stop ltac:(lia) to known) as [c [there is_found]]. exists c.
    split; [apply in_or_app; right |]; assumption.
Qed.
