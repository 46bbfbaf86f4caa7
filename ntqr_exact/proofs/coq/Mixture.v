(** What votes with independent errors look like.

    If some key leaves the errors independent, the shares of the votes are a mixture of two products. Then the moments
    Delta of pairs, T of the trio and A = T^2 + 4 Delta12 Delta13 Delta23 obey equations that other votes break: by this
    they are found ([Alarms]). T is the moment of answering [a], minus the paper's, which is that of answering [b]. *)

From Coq Require Import ZArith QArith Lqa Lia Field Znumtheory.
From NtqrExact Require Import Keys.
Open Scope Q_scope.

(** Central moments of the votes, of giving the answer [a]. *)
Definition delta12 (v : table) : Q := share count12 v - share count1 v * share count2 v.
Definition delta13 (v : table) : Q := share count13 v - share count1 v * share count3 v.
Definition delta23 (v : table) : Q := share count23 v - share count2 v * share count3 v.
Definition trio (v : table) : Q :=
  share count123 v - (share count1 v * share count2 v * share count3 v
    + share count1 v * delta23 v + share count2 v * delta13 v + share count3 v * delta12 v).
Definition product (v : table) : Q := delta12 v * delta13 v * delta23 v.
Definition discriminant (v : table) : Q := trio v * trio v + 4 * product v.

(** Shares that are a mixture of two products: prevalence p, rates a1 a2 a3 on one label and b1 b2 b3 on the other. *)
Definition mixture (v : table) (p a1 a2 a3 b1 b2 b3 : Q) : Prop :=
  (0 <= p /\ p <= 1) /\
  share count1 v == p * a1 + (1 - p) * b1 /\
  share count2 v == p * a2 + (1 - p) * b2 /\
  share count3 v == p * a3 + (1 - p) * b3 /\
  share count12 v == p * (a1 * a2) + (1 - p) * (b1 * b2) /\
  share count13 v == p * (a1 * a3) + (1 - p) * (b1 * b3) /\
  share count23 v == p * (a2 * a3) + (1 - p) * (b2 * b3) /\
  share count123 v == p * (a1 * a2 * a3) + (1 - p) * (b1 * b2 * b3).

Lemma shares_of_sum : forall (count : table -> Z) (s t : table),
  (count (add s t) = count s + count t)%Z -> size (add s t) = (size s + size t)%Z ->
  ~ inject_Z (size s) == 0 -> ~ inject_Z (size t) == 0 -> ~ inject_Z (size s + size t) == 0 ->
  share count (add s t) ==
    inject_Z (size s) / inject_Z (size s + size t) * share count s
    + (1 - inject_Z (size s) / inject_Z (size s + size t)) * share count t.
Proof.
  intros count s t counts sizes one two both. unfold share. rewrite counts, sizes.
  rewrite inject_Z_plus in *. rewrite inject_Z_plus. field. repeat split; assumption.
Qed.

Lemma nonempty_size : forall t, nonnegative t -> size t <> 0%Z -> (0 < size t)%Z.
Proof. intros t n e. unfold nonnegative, size in *. lia. Qed.

Lemma positive_in_q : forall z : Z, (0 < z)%Z -> 0 < inject_Z z.
Proof. intros z p. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. exact p. Qed.

Lemma positive_is_not_zero : forall z : Z, (0 < z)%Z -> ~ inject_Z z == 0.
Proof. intros z p equal. apply positive_in_q in p. rewrite equal in p. exact (Qlt_irrefl 0 p). Qed.

Lemma part_within : forall n m : Z, (0 <= n)%Z -> (n <= m)%Z -> (0 < m)%Z ->
  0 <= inject_Z n / inject_Z m /\ inject_Z n / inject_Z m <= 1.
Proof.
  intros n m low high p. apply positive_in_q in p. split.
  - apply Qle_shift_div_l; [exact p |]. rewrite Qmult_0_l. change 0 with (inject_Z 0). rewrite <- Zle_Qle. exact low.
  - apply Qle_shift_div_r; [exact p |]. rewrite Qmult_1_l. rewrite <- Zle_Qle. exact high.
Qed.

(** A key with questions of both labels: the mixture of its own rates. *)
Lemma mixture_of_key : forall s t : table,
  (0 < size s)%Z -> (0 < size t)%Z -> independent s -> independent t ->
  mixture (add s t) (inject_Z (size s) / inject_Z (size s + size t))
    (share count1 s) (share count2 s) (share count3 s) (share count1 t) (share count2 t) (share count3 t).
Proof.
  intros s t ps pt is it.
  destruct is as [empty | [c12 [c13 [c23 c123]]]]; [lia |].
  destruct it as [empty | [d12 [d13 [d23 d123]]]]; [lia |].
  assert (zs : ~ inject_Z (size s) == 0) by (apply positive_is_not_zero; lia).
  assert (zt : ~ inject_Z (size t) == 0) by (apply positive_is_not_zero; lia).
  assert (zb : ~ inject_Z (size s + size t) == 0) by (apply positive_is_not_zero; lia).
  destruct (shares_of_independent s) as [e12 [e13 [e23 e123]]]; try assumption.
  destruct (shares_of_independent t) as [g12 [g13 [g23 g123]]]; try assumption.
  unfold mixture. rewrite <- e123, <- g123, <- e12, <- e13, <- e23, <- g12, <- g13, <- g23.
  split; [apply part_within; lia |].
  repeat split; apply shares_of_sum; try assumption;
    unfold count1, count2, count3, count12, count13, count23, count123, size, add; simpl; lia.
Qed.

Theorem independent_is_a_mixture : forall v : table,
  (0 < size v)%Z -> has_independent_key v ->
  exists p a1 a2 a3 b1 b2 b3, mixture v p a1 a2 a3 b1 b2 b3.
Proof.
  intros v positive [s [t [ns [nt [sum_is [is it]]]]]].
  assert (sizes : size v = (size s + size t)%Z) by (subst v; unfold size, add; simpl; lia).
  assert (ps : (0 <= size s)%Z) by (unfold nonnegative, size in *; lia).
  assert (pt : (0 <= size t)%Z) by (unfold nonnegative, size in *; lia).
  destruct (Z.eq_dec (size s) 0) as [es | fs]; [| destruct (Z.eq_dec (size t) 0) as [et | ft]].
  - (* all questions are of the second label *)
    assert (same : v = t).
    { subst v. unfold nonnegative, size, add in *. destruct s, t; simpl in *. f_equal; lia. }
    destruct it as [empty | [c12 [c13 [c23 c123]]]]; [lia |].
    destruct (shares_of_independent t) as [e12 [e13 [e23 e123]]]; try assumption.
    { apply positive_is_not_zero. lia. }
    exists 0, 0, 0, 0, (share count1 t), (share count2 t), (share count3 t). subst v. rewrite same in *.
    unfold mixture. rewrite e12, e13, e23, e123. repeat split; try lra; ring.
  - (* all questions are of the first label *)
    assert (same : v = s).
    { subst v. unfold nonnegative, size, add in *. destruct s, t; simpl in *. f_equal; lia. }
    destruct is as [empty | [c12 [c13 [c23 c123]]]]; [lia |].
    destruct (shares_of_independent s) as [e12 [e13 [e23 e123]]]; try assumption.
    { apply positive_is_not_zero. lia. }
    exists 1, (share count1 s), (share count2 s), (share count3 s), 0, 0, 0. subst v. rewrite same in *.
    unfold mixture. rewrite e12, e13, e23, e123. repeat split; try lra; ring.
  - do 7 eexists. subst v. apply mixture_of_key; try assumption; lia.
Qed.

(** In a mixture the moments are what follows; each is one polynomial identity. *)
Section Moments.
  Variables (v : table) (p a1 a2 a3 b1 b2 b3 : Q).
  Hypothesis mixed : mixture v p a1 a2 a3 b1 b2 b3.
  Let d1 := a1 - b1.
  Let d2 := a2 - b2.
  Let d3 := a3 - b3.
  Let w := p * (1 - p).

  Lemma delta12_of_mixture : delta12 v == w * (d1 * d2).
  Proof. destruct mixed as [_ [e1 [e2 [e3 [e12 [e13 [e23 e123]]]]]]]. unfold delta12.
    rewrite e12, e1, e2. unfold w, d1, d2. ring. Qed.
  Lemma delta13_of_mixture : delta13 v == w * (d1 * d3).
  Proof. destruct mixed as [_ [e1 [e2 [e3 [e12 [e13 [e23 e123]]]]]]]. unfold delta13.
    rewrite e13, e1, e3. unfold w, d1, d3. ring. Qed.
  Lemma delta23_of_mixture : delta23 v == w * (d2 * d3).
  Proof. destruct mixed as [_ [e1 [e2 [e3 [e12 [e13 [e23 e123]]]]]]]. unfold delta23.
    rewrite e23, e2, e3. unfold w, d2, d3. ring. Qed.
  Lemma trio_of_mixture : trio v == w * (1 - 2 * p) * (d1 * d2 * d3).
  Proof.
    unfold trio. rewrite delta12_of_mixture, delta13_of_mixture, delta23_of_mixture.
    destruct mixed as [_ [e1 [e2 [e3 [e12 [e13 [e23 e123]]]]]]].
    rewrite e123, e1, e2, e3. unfold w, d1, d2, d3. ring.
  Qed.
  Lemma product_of_mixture : product v == w * ((w * (d1 * d2 * d3)) * (w * (d1 * d2 * d3))).
  Proof. unfold product. rewrite delta12_of_mixture, delta13_of_mixture, delta23_of_mixture. ring. Qed.
  Lemma discriminant_of_mixture : discriminant v == (w * (d1 * d2 * d3)) * (w * (d1 * d2 * d3)).
  Proof. unfold discriminant. rewrite trio_of_mixture, product_of_mixture. unfold w. ring. Qed.
  Lemma prevalence_quadratic : discriminant v * p * p - discriminant v * p + product v == 0.
  Proof. rewrite product_of_mixture, discriminant_of_mixture. unfold w. ring. Qed.
  Lemma weight_within : 0 <= w.
  Proof. destruct mixed as [[low high] _]. unfold w. nra. Qed.
End Moments.
