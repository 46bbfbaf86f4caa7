(** The search in whole numbers misses no key. *)

From Coq Require Import ZArith QArith Qabs List Lia Bool PeanoNat FinFun.
From NtqrExact Require Import Questions Dependence Budget Whole.
Import ListNotations.
Open Scope Z_scope.

(** Counts of first answers on one label. *)
Section Label.
  Variables (l : nat) (test : list question).
  Definition asked : Z := questions_of l test.
  Definition r (i : nat) : Z := on l (gave i 0) test.
  Definition s (i j : nat) : Z := on l (fun p => gave i 0 p * gave j 0 p) test.
  Definition t (i j k : nat) : Z := on l (fun p => gave i 0 p * gave j 0 p * gave k 0 p) test.

  Lemma sum_low : forall f, (forall p, 0 <= f p) -> 0 <= on l f test.
  Proof. intros f low. rewrite <- (on_zero l test). apply on_le. exact low. Qed.

  Ltac zero_or_one p := unfold gave, indicator; repeat match goal with |- context [Nat.eqb ?a ?b] =>
    destruct (Nat.eqb a b) end; lia.

  Lemma asked_low : 0 <= asked.
  Proof. apply count_low. Qed.
  Lemma r_within : forall i, 0 <= r i <= asked.
  Proof.
    intro i. split; [apply sum_low; intro; apply gave_within |].
    unfold asked, r. rewrite questions_on. apply on_le. intro p. apply gave_within.
  Qed.
  Lemma expanded2 : forall a b, on l (fun p => (1 * gave a 0 p - 1) * (1 * gave b 0 p - 1)) test = s a b - r a - r b + asked.
  Proof. intros. rewrite pair_sum, <- questions_on. unfold s, r, asked. lia. Qed.
  Lemma s_within : forall i j, 0 <= s i j /\ s i j <= r i /\ s i j <= r j /\ r i + r j - asked <= s i j.
  Proof.
    intros i j. split; [| split; [| split]].
    - apply sum_low. intro p. zero_or_one p.
    - apply on_le. intro p. zero_or_one p.
    - apply on_le. intro p. zero_or_one p.
    - assert (h := expanded2 i j). assert (0 <= on l (fun p => (1 * gave i 0 p - 1) * (1 * gave j 0 p - 1)) test); [| lia].
      apply sum_low. intro p. zero_or_one p.
  Qed.
  Lemma expanded3 : forall a b c, on l (fun p => (1 * gave a 0 p - 1) * (1 * gave b 0 p - 1) * (1 * gave c 0 p - 1)) test
    = t a b c - s a b - s a c - s b c + r a + r b + r c - asked.
  Proof. intros. rewrite trio_sum, <- questions_on. unfold t, s, r, asked. lia. Qed.
  Lemma expanded1 : forall a b c, on l (fun p => gave a 0 p * ((1 * gave b 0 p - 1) * (1 * gave c 0 p - 1))) test
    = t a b c - s a b - s a c + r a.
  Proof.
    intros. unfold t, s, r, on.
    transitivity (total (fun q => indicator (Nat.eqb (truth q) l) * (gave a 0 (answers q) * gave b 0 (answers q) * gave c 0 (answers q))
      + (-1 * (indicator (Nat.eqb (truth q) l) * (gave a 0 (answers q) * gave b 0 (answers q)))
      + (-1 * (indicator (Nat.eqb (truth q) l) * (gave a 0 (answers q) * gave c 0 (answers q)))
      + indicator (Nat.eqb (truth q) l) * gave a 0 (answers q)))) test).
    - apply total_same. intros. ring.
    - rewrite !total_plus, !(total_times (-1)). lia.
  Qed.
  Lemma t_within : forall i j k, 0 <= t i j k /\ t i j k <= s i j /\ t i j k <= s i k /\ t i j k <= s j k /\
    s i j + s i k - r i <= t i j k /\ s i j + s j k - r j <= t i j k /\ s i k + s j k - r k <= t i j k /\
    t i j k <= asked - r i - r j - r k + s i j + s i k + s j k.
  Proof.
    intros i j k. assert (e := expanded3 i j k). assert (a := expanded1 i j k). assert (b := expanded1 j i k).
    assert (c := expanded1 k i j).
    assert (sym : forall a b, s a b = s b a) by (intros; apply on_same; intro; lia).
    assert (t1 : t j i k = t i j k) by (apply on_same; intro; lia).
    assert (t2 : t k i j = t i j k) by (apply on_same; intro; lia).
    rewrite t1, (sym j i) in b. rewrite t2, (sym k i), (sym k j) in c.
    assert (h1 : 0 <= on l (fun p => gave i 0 p * ((1 * gave j 0 p - 1) * (1 * gave k 0 p - 1))) test)
      by (apply sum_low; intro p; zero_or_one p).
    assert (h2 : 0 <= on l (fun p => gave j 0 p * ((1 * gave i 0 p - 1) * (1 * gave k 0 p - 1))) test)
      by (apply sum_low; intro p; zero_or_one p).
    assert (h3 : 0 <= on l (fun p => gave k 0 p * ((1 * gave i 0 p - 1) * (1 * gave j 0 p - 1))) test)
      by (apply sum_low; intro p; zero_or_one p).
    assert (h4 : on l (fun p => (1 * gave i 0 p - 1) * (1 * gave j 0 p - 1) * (1 * gave k 0 p - 1)) test <= 0)
      by (rewrite <- (on_zero l test); apply on_le; intro p; zero_or_one p).
    split; [apply sum_low; intro p; zero_or_one p |]. split; [apply on_le; intro p; zero_or_one p |].
    split; [apply on_le; intro p; zero_or_one p |]. split; [apply on_le; intro p; zero_or_one p |]. lia.
  Qed.
End Label.

Section Key.
  Variables (judges : nat) (trios : bool) (delta : Q) (votes : counted) (test : list question).
  Hypothesis of_votes : test_of 2 votes test.
  Hypothesis all_small : below judges trios delta test.
  Let n := total snd votes.
  Let m := asked 0 test.
  Let q := asked 1 test.
  Variables (one : nat -> Z) (two : nat -> nat -> Z) (three : nat -> nat -> nat -> Z).
  Hypothesis ones : forall i, (i < judges)%nat -> one i = r 0 test i + r 1 test i.
  Hypothesis twos : forall i j, (i < judges)%nat -> (j < judges)%nat -> two i j = s 0 test i j + s 1 test i j.
  Hypothesis threes : forall i j k, (i < judges)%nat -> (j < judges)%nat -> (k < judges)%nat ->
    three i j k = t 0 test i j k + t 1 test i j k.

  Lemma in_two : forall f, total (fun v => snd v * f (fst v)) votes = on 0 f test + on 1 f test.
  Proof. intro f. rewrite <- (by_labels 2 votes test of_votes f). simpl. lia. Qed.
  Lemma sizes : n = m + q.
  Proof.
    unfold n, m, q, asked. rewrite !questions_on, <- (in_two (fun _ => 1)). apply total_same. intros. lia.
  Qed.

  Lemma pair_below : forall l i j, (l < 2)%nat -> 0 < asked l test -> (i < judges)%nat -> (j < judges)%nat -> i <> j ->
    QDen delta * Z.abs (asked l test * s l test i j - r l test i * r l test j) < Qnum delta * (asked l test * asked l test).
  Proof.
    intros l i j label some hi hj n'. apply (below_in_z (pair_correlation l i 0 j 0 test)).
    - apply Z.mul_pos_pos; exact some.
    - rewrite inject_Z_mult. exact (pair_is l test some i 0 j 0)%nat.
    - apply (proj1 all_small); assumption.
  Qed.
  Lemma trio_below : forall l i j k, trios = true -> (l < 2)%nat -> 0 < asked l test -> (i < judges)%nat -> (j < judges)%nat ->
    (k < judges)%nat -> i <> j -> i <> k -> j <> k ->
    small3 delta (asked l test) (r l test i) (r l test j) (r l test k) (s l test i j) (s l test i k) (s l test j k) (t l test i j k) = true.
  Proof.
    intros l i j k yes label some hi hj hk n1 n2 n3. apply Z.ltb_lt. apply (below_in_z (trio_correlation l i 0 j 0 k 0 test)).
    - repeat apply Z.mul_pos_pos; exact some.
    - rewrite !inject_Z_mult. rewrite (trio_is l test some i 0 j 0 k 0)%nat. reflexivity.
    - apply (proj2 all_small yes); assumption.
  Qed.

  Lemma within_slack : forall l i j, (l < 2)%nat -> 0 < asked l test -> (i < judges)%nat -> (j < judges)%nat -> i <> j ->
    Z.abs (asked l test * s l test i j - r l test i * r l test j) <= slack delta (asked l test).
  Proof.
    intros l i j label some hi hj n'. assert (h := pair_below l i j label some hi hj n'). unfold slack.
    apply Z.div_le_lower_bound; lia.
  Qed.

  Lemma pair_in_room : forall l i j, (l < 2)%nat -> 0 < asked l test -> (i < judges)%nat -> (j < judges)%nat -> i <> j ->
    inside (s l test i j) (pair_room delta (asked l test) (r l test i) (r l test j)).
  Proof.
    intros l i j label some hi hj n'. assert (h := within_slack l i j label some hi hj n').
    assert (w := s_within l test i j). unfold inside, pair_room. cbn [fst snd]. split.
    - repeat apply Z.max_lub; try lia. apply ceiling_le; [exact some | lia].
    - repeat apply Z.min_glb; try lia. apply Z.div_le_lower_bound; [exact some | lia].
  Qed.
  Lemma trio_in_room : forall l i j k, inside (t l test i j k) (trio_room (asked l test) (r l test i) (r l test j) (r l test k)
    (s l test i j) (s l test i k) (s l test j k)).
  Proof. intros l i j k. assert (w := t_within l test i j k). unfold inside, trio_room. cbn [fst snd]. lia. Qed.

  Lemma seen_inside : forall all x y range, all = x + y -> inside y range -> inside x (seen_from all range).
  Proof. intros all x y range e h. unfold inside, seen_from in *. cbn [fst snd]. lia. Qed.

  Hypothesis some0 : 0 < m.
  Hypothesis some1 : 0 < q.
  Definition chosen (i : nat) : choice := (i, r 0 test i).

  Lemma rest_of : forall i, (i < judges)%nat -> one i - r 0 test i = r 1 test i.
  Proof. intros i h. rewrite (ones i h). lia. Qed.
  Lemma other_size : n - m = q.
  Proof. rewrite sizes. lia. Qed.

  Lemma pair_in_range : forall i j, (i < judges)%nat -> (j < judges)%nat -> i <> j ->
    inside (s 0 test i j) (pair_range delta n one two m (chosen i) (chosen j)).
  Proof.
    intros i j hi hj n'. unfold pair_range, chosen. rewrite other_size, (rest_of i hi), (rest_of j hj). apply in_both.
    - apply (pair_in_room 0); try assumption. lia.
    - apply (seen_inside _ _ (s 1 test i j)); [apply twos; assumption |]. apply (pair_in_room 1); try assumption. lia.
  Qed.
  Lemma pair_fits_holds : forall i j, (i < judges)%nat -> (j < judges)%nat -> i <> j ->
    pair_fits delta n one two m (chosen i) (chosen j) = true.
  Proof.
    intros i j hi hj n'. assert (h := pair_in_range i j hi hj n'). unfold pair_fits, inside in *. apply Z.leb_le. lia.
  Qed.

  Lemma trio_fits_holds : forall i j k, (i < judges)%nat -> (j < judges)%nat -> (k < judges)%nat -> i <> j -> i <> k -> j <> k ->
    trio_fits trios delta n one two three m (chosen i) (chosen j) (chosen k) = true.
  Proof.
    intros i j k hi hj hk n1 n2 n3. unfold trio_fits, chosen.
    apply existsb_exists. exists (s 0 test i j). split; [apply in_span; apply (pair_in_range i j); assumption |].
    apply existsb_exists. exists (s 0 test i k). split; [apply in_span; apply (pair_in_range i k); assumption |].
    apply existsb_exists. exists (s 0 test j k). split; [apply in_span; apply (pair_in_range j k); assumption |].
    rewrite other_size, (rest_of i hi), (rest_of j hj), (rest_of k hk).
    replace (two i j - s 0 test i j) with (s 1 test i j) by (rewrite (twos i j hi hj); lia).
    replace (two i k - s 0 test i k) with (s 1 test i k) by (rewrite (twos i k hi hk); lia).
    replace (two j k - s 0 test j k) with (s 1 test j k) by (rewrite (twos j k hj hk); lia).
    apply existsb_exists. exists (t 0 test i j k). split.
    - apply in_span, in_both; [apply (trio_in_room 0) |].
      apply (seen_inside _ _ (t 1 test i j k)); [apply threes; assumption | apply (trio_in_room 1)].
    - replace (three i j k - t 0 test i j k) with (t 1 test i j k) by (rewrite (threes i j k hi hj hk); lia).
      apply orb_true_iff. assert (either : trios = false \/ trios = true) by (destruct trios; tauto).
      destruct either as [no | yes]; [left; rewrite no; reflexivity | right]. apply andb_true_iff.
      split; [apply (trio_below 0) | apply (trio_below 1)]; try assumption; lia.
  Qed.

  Lemma narrowed_holds : forall j k range, (j < judges)%nat -> (k < judges)%nat -> j <> k ->
    inside (r 0 test k) range -> inside (r 0 test k) (narrowed delta n one two m k (chosen j) range).
  Proof.
    intros j k range hj hk n' h. unfold narrowed. set (a := off n one m (chosen j)).
    set (c := middle n one two m (fst (chosen j)) k).
    set (e := near delta n m). destruct (Z.eqb_spec a 0) as [zero | not_zero]; [exact h |]. apply in_both; [exact h |].
    set (d := n * r 0 test k - one k * m).
    assert (close : Z.abs (c - a * d) <= e).
    { assert (h0 := within_slack 0 j k ltac:(lia) some0 hj hk n'). assert (h1 := within_slack 1 j k ltac:(lia) some1 hj hk n').
      fold m in h0. fold q in h1.
      assert (id : c - a * d = n * (q * (m * s 0 test j k - r 0 test j * r 0 test k) + m * (q * s 1 test j k - r 1 test j * r 1 test k))).
      { unfold c, a, d, middle, off, chosen. cbn [fst]. rewrite (ones j hj), (ones k hk), (twos j k hj hk), sizes. ring. }
      rewrite id. unfold e, near. rewrite other_size. set (x := m * s 0 test j k - _) in *. set (y := q * s 1 test j k - _) in *.
      rewrite Z.abs_mul, (Z.abs_eq n) by (rewrite sizes; lia). apply Z.mul_le_mono_nonneg_l; [rewrite sizes; lia |].
      assert (Z.abs (q * x) <= q * slack delta m) by (rewrite Z.abs_mul, (Z.abs_eq q) by lia; apply Z.mul_le_mono_nonneg_l; lia).
      assert (Z.abs (m * y) <= m * slack delta q) by (rewrite Z.abs_mul, (Z.abs_eq m) by lia; apply Z.mul_le_mono_nonneg_l; lia).
      lia. }
    assert (positive : 0 < Z.abs a) by lia. assert (size : 0 < n) by (rewrite sizes; lia).
    assert (ends : (if 0 <? a then c - e else - (c + e)) <= Z.abs a * d <= (if 0 <? a then c + e else - (c - e))).
    { destruct (Z.ltb_spec 0 a) as [p | p]; [rewrite Z.abs_eq by lia; lia |].
      replace (Z.abs a * d) with (- (a * d)) by (rewrite Z.abs_neq by lia; ring). lia. }
    set (low := if 0 <? a then c - e else - (c + e)) in *. set (high := if 0 <? a then c + e else - (c - e)) in *.
    assert (l : ceiling low (Z.abs a) <= d) by (apply ceiling_le; lia).
    assert (u : d <= high / Z.abs a) by (apply Z.div_le_lower_bound; lia).
    unfold inside. cbn [fst snd]. unfold d in *. split; [apply ceiling_le; lia | apply Z.div_le_lower_bound; lia].
  Qed.

  Lemma tried_holds : forall rest js, NoDup (js ++ rest) -> (forall j, In j (js ++ rest) -> (j < judges)%nat) ->
    tried trios delta n one two three m (map chosen js) rest = true.
  Proof.
    induction rest as [| k rest step]; intros js different known.
    - rewrite app_nil_r in *. cbn [tried].
      apply all_trios_hold.
      + apply Injective_map_NoDup; [intros x y e; inversion e; reflexivity | exact different].
      + intros x y z hx hy hz n1 n2 n3. apply in_map_iff in hx, hy, hz.
        destruct hx as [i [<- hi]]. destruct hy as [j [<- hj]]. destruct hz as [k [<- hk]].
        apply trio_fits_holds; try (apply known; assumption); intros ->; congruence.
    - cbn [tried]. assert (hk : (k < judges)%nat) by (apply known; apply in_or_app; simpl; tauto).
      assert (fresh : forall j, In j js -> j <> k).
      { intros j there ->. apply NoDup_remove_2 in different. apply different. apply in_or_app. tauto. }
      apply existsb_exists. exists (r 0 test k). split.
      + apply in_span. assert (start : inside (r 0 test k) (Z.max 0 (one k - (n - m)), Z.min m (one k))).
        { assert (a := r_within 0 test k). assert (b := r_within 1 test k). fold m in a. fold q in b.
          unfold inside. cbn [fst snd]. rewrite other_size, (ones k hk). lia. }
        clear - start fresh known hk ones twos all_small some0 some1 of_votes.
        assert (low : forall j, In j js -> (j < judges)%nat) by (intros j there; apply known; apply in_or_app; tauto).
        clear known. induction js as [| j js step]; [exact start |]. cbn [map fold_right].
        apply narrowed_holds; [apply low; simpl; tauto | exact hk | apply fresh; simpl; tauto |].
        apply step; intros i there; [apply fresh | apply low]; simpl; tauto.
      + apply andb_true_iff. split.
        * apply forallb_forall. intros x there. apply in_map_iff in there. destruct there as [j [<- there]].
          apply (pair_fits_holds j k); [apply known; apply in_or_app; tauto | exact hk | apply fresh; exact there].
        * apply (step (k :: js)).
          -- apply NoDup_cons; [apply NoDup_remove_2 in different; exact different | apply NoDup_remove_1 in different;
            exact different].
          -- intros j there. apply known. apply in_or_app. simpl in *. apply in_elt_inv in there || idtac.
             destruct there as [<- | there]; [right; left; reflexivity |]. apply in_app_or in there. simpl. tauto.
  Qed.
End Key.

(** Two labels, in whole numbers: if the search leaves nothing, every key of these votes has a pair, or a trio if trios
    count, whose errors on some label are correlated by delta or more. *)
Theorem whole_sound : forall judges trios order delta votes, whole judges trios order delta votes = true ->
  ~ exists test, test_of 2 votes test /\ below judges trios delta test.
Proof.
  intros judges trios order delta votes holds [test [of_votes small]]. unfold whole in holds.
  set (sum := fun f => total (fun v => snd v * f (fst v)) votes) in *.
  set (one := fun i => nth i _ 0) in holds. set (two := fun i j => nth j (nth i _ []) 0) in holds.
  set (three := fun i j k => nth k (nth j (nth i _ []) []) 0) in holds.
  rewrite !andb_true_iff, Z.ltb_lt, forallb_forall in holds. destruct holds as [[[some others] known] nothing].
  apply different_pairs in others.
  assert (low : forall j, In j order -> (j < judges)%nat) by (intros j there; apply Nat.ltb_lt, known, there).
  assert (at_place : forall {X} (f : nat -> X) i d, (i < judges)%nat -> nth i (map f (seq 0 judges)) d = f i).
  { intros X f i d h. rewrite (nth_indep _ d (f O)) by (rewrite map_length, seq_length; exact h).
    rewrite map_nth, seq_nth by exact h. reflexivity. }
  assert (split_sum : forall f, sum f = on 0 f test + on 1 f test) by (intro; apply (in_two votes test of_votes)).
  assert (ones : forall i, (i < judges)%nat -> one i = r 0 test i + r 1 test i).
  { intros i hi. unfold one. rewrite at_place by exact hi. exact (split_sum (gave i 0)). }
  assert (twos : forall i j, (i < judges)%nat -> (j < judges)%nat -> two i j = s 0 test i j + s 1 test i j).
  { intros i j hi hj. unfold two. rewrite !at_place by assumption. exact (split_sum (fun p => gave i 0 p * gave j 0 p)). }
  assert (threes : forall i j k, (i < judges)%nat -> (j < judges)%nat -> (k < judges)%nat ->
    three i j k = t 0 test i j k + t 1 test i j k).
  { intros i j k hi hj hk. unfold three. rewrite !at_place by assumption.
    exact (split_sum (fun p => gave i 0 p * gave j 0 p * gave k 0 p)). }
  assert (all := sizes votes test of_votes). set (n := total snd votes) in *.
  assert (l0 := asked_low 0 test). assert (l1 := asked_low 1 test).
  unfold nothing_left in nothing. apply andb_true_iff in nothing. destruct nothing as [not_one none].
  assert (empty : forall l f, asked l test = 0 -> on l f test = 0) by (intros l f e; apply on_empty; exact e).
  assert (one_of : forall l, (l < 2)%nat -> asked (1 - l) test = 0 -> one_label trios delta n one two three order = true).
  { intros l label nobody.
    assert (everybody : asked l test = n) by (destruct l as [| [| l]]; simpl in nobody; lia).
    assert (e1 : forall i, (i < judges)%nat -> one i = r l test i).
    { intros i hi. rewrite (ones i hi). unfold r.
      destruct l as [| [| l]]; simpl in nobody;
        [rewrite (empty 1%nat) by exact nobody | rewrite (empty 0%nat) by exact nobody |]; lia. }
    assert (e2 : forall i j, (i < judges)%nat -> (j < judges)%nat -> two i j = s l test i j).
    { intros i j hi hj. rewrite (twos i j hi hj). unfold s.
      destruct l as [| [| l]]; simpl in nobody;
        [rewrite (empty 1%nat) by exact nobody | rewrite (empty 0%nat) by exact nobody |]; lia. }
    assert (e3 : forall i j k, (i < judges)%nat -> (j < judges)%nat -> (k < judges)%nat -> three i j k = t l test i j k).
    { intros i j k hi hj hk. rewrite (threes i j k hi hj hk). unfold t.
      destruct l as [| [| l]]; simpl in nobody;
        [rewrite (empty 1%nat) by exact nobody | rewrite (empty 0%nat) by exact nobody |]; lia. }
    unfold one_label. apply andb_true_iff. split.
    - apply all_pairs_hold; [exact others |]. intros i j hi hj d. apply low in hi, hj. apply Z.ltb_lt.
      rewrite (e1 i hi), (e1 j hj), (e2 i j hi hj), <- everybody.
      apply (pair_below judges trios delta test small); try assumption. lia.
    - destruct trios eqn:yes; [| reflexivity]. simpl. apply all_trios_hold; [exact others |].
      intros i j k hi hj hk d1 d2 d3. apply low in hi, hj, hk.
      rewrite (e1 i hi), (e1 j hj), (e1 k hk), (e2 i j hi hj), (e2 i k hi hk), (e2 j k hj hk), (e3 i j k hi hj hk), <- everybody.
      apply (trio_below judges true delta test small l i j k); try assumption; try reflexivity. lia. }
  apply negb_true_iff in not_one.
  destruct (Z.eq_dec (asked 1 test) 0) as [nobody | some1].
  { rewrite (one_of 0%nat ltac:(lia) nobody) in not_one. discriminate. }
  destruct (Z.eq_dec (asked 0 test) 0) as [nobody | some0].
  { rewrite (one_of 1%nat ltac:(lia) nobody) in not_one. discriminate. }
  rewrite forallb_forall in none. specialize (none (asked 0 test)).
  assert (there : In (asked 0 test) (span (1, n - 1))) by (apply in_span; unfold inside; simpl; lia).
  specialize (none there). apply negb_true_iff in none.
  assert (found := tried_holds judges trios delta votes test of_votes small one two three ones twos threes
    ltac:(lia) ltac:(lia) order [] others low).
  cbn [map] in found. fold n in found. congruence.
Qed.
