(** The numbers of a key that has questions of both labels lie in one of the cells. *)

From Coq Require Import ZArith QArith Qabs Qminmax Lqa List Lia Bool PeanoNat.
From NtqrExact Require Import Questions Dependence Budget Products ProductBounds.
Import ListNotations.
Open Scope Q_scope.

(** Numbers of one key that has questions of both labels. *)
Section Numbers.
  Variables (judges : nat) (trios : bool) (delta m q : Q) (r0 r1 : nat -> Q) (s0 s1 : nat -> nat -> Q).
  Variables (t0 t1 : nat -> nat -> nat -> Q).
  Variables (n : Z) (one : nat -> Z) (two : nat -> nat -> Z) (three : nat -> nat -> nat -> Z).
  Hypothesis low : 0 <= delta.
  Hypothesis some_m : 0 < m.
  Hypothesis some_q : 0 < q.
  Hypothesis size_is : inject_Z n == m + q.
  Hypothesis rates0 : forall i, 0 <= r0 i /\ r0 i <= m.
  Hypothesis rates1 : forall i, 0 <= r1 i /\ r1 i <= q.
  Hypothesis alone0 : forall i, s0 i i == r0 i.
  Hypothesis alone1 : forall i, s1 i i == r1 i.
  Hypothesis one_is : forall i, (i < judges)%nat -> inject_Z (one i) == r0 i + r1 i.
  Hypothesis two_is : forall i j, (i < judges)%nat -> (j < judges)%nat ->
    inject_Z (two i j) == (m + q) * (s0 i j + s1 i j) - (r0 i + r1 i) * (r0 j + r1 j).
  Hypothesis three_is : forall i j k, (i < judges)%nat -> (j < judges)%nat -> (k < judges)%nat ->
    inject_Z (three i j k) == (m + q) * (m + q) * (t0 i j k + t1 i j k)
      - (m + q) * ((r0 i + r1 i) * (s0 j k + s1 j k) + (r0 j + r1 j) * (s0 i k + s1 i k) + (r0 k + r1 k) * (s0 i j + s1 i j))
      + 2 * (r0 i + r1 i) * (r0 j + r1 j) * (r0 k + r1 k).
  Let pair_of m r s (i j : nat) : Q := m * s i j - r i * r j.
  Let trio_of m r s t (i j k : nat) : Q :=
    m * m * t i j k - m * (r i * s j k + r j * s i k + r k * s i j) + 2 * r i * r j * r k.
  Hypothesis pairs0 : forall i j, (i < judges)%nat -> (j < judges)%nat -> i <> j ->
    Qabs (pair_of m r0 s0 i j) <= delta * (m * m).
  Hypothesis pairs1 : forall i j, (i < judges)%nat -> (j < judges)%nat -> i <> j ->
    Qabs (pair_of q r1 s1 i j) <= delta * (q * q).
  Hypothesis trios0 : trios = true -> forall i j k, (i < j)%nat -> (j < k)%nat -> (k < judges)%nat ->
    Qabs (trio_of m r0 s0 t0 i j k) <= delta * (m * m * m).
  Hypothesis trios1 : trios = true -> forall i j k, (i < j)%nat -> (j < k)%nat -> (k < judges)%nat ->
    Qabs (trio_of q r1 s1 t1 i j k) <= delta * (q * q * q).

  Definition d (i : nat) : Q := r0 i * q - r1 i * m.
  Let w := m * q.
  Let room := delta * inject_Z (n * n).
  Let sg (i : nat) : bool := Qle_bool 0 (d i).

  Lemma w_positive : 0 < w.
  Proof. apply Qmult_lt_0_compat; assumption. Qed.

  Lemma small_times : forall x y c : Q, 0 <= c -> Qabs x <= y -> Qabs (c * x) <= c * y.
  Proof.
    intros x y c pc h. rewrite Qabs_Qmult, (Qabs_pos c pc). apply one_times; try assumption; try lra. apply Qabs_nonneg.
  Qed.
  Lemma small_plus : forall x y a b : Q, Qabs x <= a -> Qabs y <= b -> Qabs (x + y) <= a + b.
  Proof. intros x y a b hx hy. apply abs_le in hx, hy. apply abs_le. lra. Qed.
  Lemma small_minus : forall x y a b : Q, Qabs x <= a -> Qabs y <= b -> Qabs (x - y) <= a + b.
  Proof. intros x y a b hx hy. apply abs_le in hx, hy. apply abs_le. lra. Qed.

  Lemma room_is : room == delta * ((m + q) * (m + q)).
  Proof. unfold room. rewrite inject_Z_mult, size_is. reflexivity. Qed.

  Lemma near_product : forall i j, (i < judges)%nat -> (j < judges)%nat -> i <> j ->
    Qabs (inject_Z (two i j) * w - d i * d j) <= room * w.
  Proof.
    intros i j hi hj other. rewrite room_is, (two_is i j hi hj).
    setoid_replace (((m + q) * (s0 i j + s1 i j) - (r0 i + r1 i) * (r0 j + r1 j)) * w - d i * d j)
      with ((m + q) * q * pair_of m r0 s0 i j + (m + q) * m * pair_of q r1 s1 i j) by (unfold w, d, pair_of; ring).
    setoid_replace (delta * ((m + q) * (m + q)) * w)
      with ((m + q) * q * (delta * (m * m)) + (m + q) * m * (delta * (q * q))) by (unfold w; ring).
    apply small_plus; apply small_times; try (apply Qmult_le_0_compat; lra); [apply pairs0 | apply pairs1]; assumption.
  Qed.

  Lemma square_within : forall i, (i < judges)%nat -> d i * d i <= inject_Z (two i i) * w.
  Proof.
    intros i hi. rewrite (two_is i i hi hi), alone0, alone1. destruct (rates0 i) as [a b]. destruct (rates1 i) as [c e].
    assert (0 <= (m + q) * q * (r0 i * (m - r0 i))) by (repeat apply Qmult_le_0_compat; lra).
    assert (0 <= (m + q) * m * (r1 i * (q - r1 i))) by (repeat apply Qmult_le_0_compat; lra).
    assert (id : ((m + q) * (r0 i + r1 i) - (r0 i + r1 i) * (r0 i + r1 i)) * w - d i * d i
      == (m + q) * q * (r0 i * (m - r0 i)) + (m + q) * m * (r1 i * (q - r1 i))) by (unfold w, d; ring).
    lra.
  Qed.

  Lemma size_of_d : forall i, (sg i = true /\ Qabs (d i) == d i /\ 0 <= d i) \/ (sg i = false /\ Qabs (d i) == - d i
    /\ d i <= 0).
  Proof.
    intro i. unfold sg. destruct (Qle_bool 0 (d i)) eqn:e; [left | right].
    - apply Qle_bool_iff in e. rewrite Qabs_pos by exact e. repeat split; try reflexivity. exact e.
    - apply at_most_false in e. rewrite Qabs_neg by lra. repeat split; try reflexivity. lra.
  Qed.

  Lemma times_rho_bound : forall i, (i < judges)%nat -> Qabs (d i) <= inject_Z (if sg i then n - one i else one i) * m.
  Proof.
    intros i hi. destruct (rates0 i) as [a b]. destruct (rates1 i) as [c e].
    destruct (size_of_d i) as [[-> [-> p]] | [-> [-> p]]]; unfold d.
    - unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp, (one_is i hi), size_is.
      assert (0 <= (m + q) * (m - r0 i)) by (apply Qmult_le_0_compat; lra). lra.
    - rewrite (one_is i hi). assert (0 <= (m + q) * r0 i) by (apply Qmult_le_0_compat; lra). lra.
  Qed.
  Lemma over_rho_bound : forall i, (i < judges)%nat -> Qabs (d i) <= inject_Z (if negb (sg i) then n - one i else one i) * q.
  Proof.
    intros i hi. destruct (rates0 i) as [a b]. destruct (rates1 i) as [c e].
    destruct (size_of_d i) as [[-> [-> p]] | [-> [-> p]]]; unfold d; simpl negb; cbv iota.
    - rewrite (one_is i hi). assert (0 <= (m + q) * r1 i) by (apply Qmult_le_0_compat; lra). lra.
    - unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp, (one_is i hi), size_is.
      assert (0 <= (m + q) * (q - r1 i)) by (apply Qmult_le_0_compat; lra). lra.
  Qed.

  Lemma signed_near : forall i j, (i < judges)%nat -> (j < judges)%nat -> i <> j ->
    Qabs (inject_Z (times_signs (sg i) (sg j) (two i j)) * w - Qabs (d i) * Qabs (d j)) <= room * w.
  Proof.
    intros i j hi hj other. assert (h := near_product i j hi hj other). apply abs_le in h. apply abs_le. unfold times_signs.
    destruct (size_of_d i) as [[-> [-> p]] | [-> [-> p]]]; destruct (size_of_d j) as [[-> [-> p']] | [-> [-> p']]];
      simpl eqb; cbv iota; rewrite ?inject_Z_opp; lra.
  Qed.

  (** The signs of the d are among those that are looked at. *)
  Definition real_signs : list bool := map sg (seq 0 judges).
  Lemma real_sign : forall i x, (i < judges)%nat -> nth i real_signs x = sg i.
  Proof.
    intros i x h. unfold real_signs. rewrite (nth_indep _ x (sg O)) by (rewrite map_length, seq_length; exact h).
    rewrite map_nth, seq_nth by exact h. reflexivity.
  Qed.
  Variable better : list nat.
  Hypothesis better_plus : forall i, In i better -> (i < judges)%nat -> 0 <= d i.

  Lemma signs_found : In real_signs (all_signs judges delta better n two).
  Proof.
    assert (all : forall j, (j <= judges)%nat ->
      In (map sg (seq 0 j)) (fold_left (extended delta better n two) (seq 0 j) [[]])).
    { induction j as [| j step]; intro h; [simpl; tauto |].
      rewrite seq_S, fold_left_app, map_app. simpl. unfold extended at 1. apply in_flat_map.
      exists (map sg (seq 0 j)). split; [apply step; lia |].
      apply in_map_iff. exists (sg j). split; [reflexivity |]. apply filter_In. split.
      - destruct (existsb (Nat.eqb j) better) eqn:e; [left | destruct (sg j); simpl; tauto].
        apply existsb_exists in e. destruct e as [k [there e]]. apply Nat.eqb_eq in e. subst k.
        unfold sg. symmetry. apply Qle_bool_iff. apply better_plus; [exact there | lia].
      - unfold allowed. apply forallb_forall. intros i there. apply in_seq in there. apply orb_true_iff. right.
        assert (e : nth i (map sg (seq 0 j)) true = sg i).
        { rewrite (nth_indep _ true (sg O)) by (rewrite map_length, seq_length; lia).
          rewrite map_nth, seq_nth by lia. reflexivity. }
        rewrite e. apply Qle_bool_iff. fold room. rewrite inject_Z_opp.
        assert (near := signed_near i j ltac:(lia) ltac:(lia) ltac:(lia)). apply abs_le in near.
        assert (p : 0 <= Qabs (d i) * Qabs (d j)) by (apply Qmult_le_0_compat; apply Qabs_nonneg).
        assert (k := w_positive). apply (cancelled _ _ w k). lra. }
    apply all. lia.
  Qed.

  (** What is known at first, and of a range of m. *)
  Ltac whole_nodes := repeat match goal with
    | h : (_ <? _)%nat = true |- _ => apply Nat.ltb_lt in h
    | h : (_ <? _)%nat = false |- _ => apply Nat.ltb_ge in h end.
  Ltac at_judge i := rewrite (proj2 (Nat.eqb_neq i judges)) by lia.

  Lemma first_holds : forall x y, In x (nodes judges) -> In y (nodes judges) ->
    holds judges m q d x y (at_first judges delta n one two real_signs x y).
  Proof.
    intros x y hx hy. apply nodes_known in hx, hy. destruct x as [i | i], y as [j | j]; unfold at_first.
    - destruct (Nat.ltb i judges) eqn:hi; destruct (Nat.ltb j judges) eqn:hj; simpl andb; cbv iota; try exact I. whole_nodes.
      rewrite (real_sign i true hi). replace j with judges by lia. apply known_holds. unfold top, under.
      at_judge i. rewrite Nat.eqb_refl. assert (h := over_rho_bound i hi). lra.
    - destruct (Nat.ltb i judges) eqn:hi; destruct (Nat.eqb i j) eqn:e; destruct (Nat.ltb j judges) eqn:hj; try exact I;
      whole_nodes.
      + apply Nat.eqb_eq in e. subst j. apply known_holds. unfold top, under. at_judge i.
        assert (h := square_within i hi). fold w. destruct (size_of_d i) as [[_ [-> _]] | [_ [-> _]]]; lra.
      + apply Nat.eqb_eq in e. lia.
      + apply Nat.eqb_neq in e. rewrite (real_sign i true hi), (real_sign j true hj). fold room. apply known_holds.
        unfold top, under. at_judge i. at_judge j. fold w. assert (h := signed_near i j hi hj e). apply abs_le in h. lra.
      + rewrite (real_sign i true hi). replace j with judges by lia. apply known_holds. unfold top, under.
        at_judge i. rewrite Nat.eqb_refl. assert (h := times_rho_bound i hi). lra.
      + apply Nat.eqb_eq in e. lia.
      + rewrite (real_sign j true hj). replace i with judges by lia. apply known_holds. unfold top, under.
        at_judge j. rewrite Nat.eqb_refl. assert (h := times_rho_bound j hj).
        assert (k := one_times q q _ _ ltac:(lra) ltac:(lra) (Qabs_nonneg (d j)) h). lra.
    - destruct (Nat.ltb i judges) eqn:hi; destruct (Nat.ltb j judges) eqn:hj; destruct (Nat.eqb i j) eqn:e; simpl andb;
      try exact I.
      whole_nodes. apply Nat.eqb_neq in e. rewrite (real_sign i true hi), (real_sign j true hj). fold room.
      destruct (Qle_bool (inject_Z (times_signs (sg i) (sg j) (two i j))) room) eqn:far; simpl; [exact I |].
      apply at_most_false in far. apply known_holds. unfold top, under. at_judge i. at_judge j. fold w.
      assert (h := signed_near i j hi hj e). apply abs_le in h.
      set (v := inject_Z (times_signs (sg i) (sg j) (two i j))) in *.
      apply (cancelled _ _ (v - room)); [lra |].
      setoid_replace (/ (v - room) * (Qabs (d j) * Qabs (d i)) * (v - room)) with (Qabs (d i) * Qabs (d j))
        by (field; lra). lra.
    - destruct (Nat.ltb i judges) eqn:hi; destruct (Nat.ltb j judges) eqn:hj; simpl andb; cbv iota; try exact I. whole_nodes.
      rewrite (real_sign j true hj). replace i with judges by lia. apply known_holds. unfold top, under.
      at_judge j. rewrite Nat.eqb_refl. assert (h := over_rho_bound j hj).
      assert (k := one_times m m _ _ ltac:(lra) ltac:(lra) (Qabs_nonneg (d j)) h). lra.
  Qed.

  Section Range.
    Variables (start stop : Z).
    Hypothesis begins : (0 < start)%Z.
    Hypothesis ends : (stop < n)%Z.
    Hypothesis from : inject_Z start <= m.
    Hypothesis to : m <= inject_Z stop.

    Lemma positive_z : forall z, (0 < z)%Z -> 0 < inject_Z z.
    Proof. intros z h. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. exact h. Qed.

    Lemma shares_hold : forall x y, In x (nodes judges) -> In y (nodes judges) ->
      holds judges m q d x y (at_shares judges n start stop x y).
    Proof.
      intros x y _ _. assert (a := positive_z start begins). assert (b := positive_z (n - stop) ltac:(lia)).
      destruct x as [i | i], y as [j | j]; unfold at_shares; try exact I;
        destruct (Nat.eqb i judges) eqn:hi; destruct (Nat.eqb j judges) eqn:hj; try exact I; apply known_holds;
        unfold top, under; rewrite hi, hj; unfold Z.sub in *; rewrite inject_Z_plus, inject_Z_opp, size_is in *.
      - apply (cancelled _ _ (inject_Z start) a).
        setoid_replace ((m + q + - inject_Z start) / inject_Z start * (m * 1) * inject_Z start)
          with ((m + q + - inject_Z start) * m) by (field; lra).
        assert (0 <= (m - inject_Z start) * (m + q)) by (apply Qmult_le_0_compat; lra). lra.
      - apply (cancelled _ _ (m + q + - inject_Z stop) b).
        setoid_replace (inject_Z stop / (m + q + - inject_Z stop) * (q * 1) * (m + q + - inject_Z stop))
          with (inject_Z stop * q) by (field; lra).
        assert (0 <= (inject_Z stop - m) * (m + q)) by (apply Qmult_le_0_compat; lra). lra.
    Qed.
  End Range.

  Section Left.
    Variable b : table.
    Hypothesis all : table_holds judges m q d b.
    Let get := bound judges b.

    Lemma number_n : inject_Z n == m + q.
    Proof. exact size_is. Qed.
    Lemma d_within : forall i, Qabs (d i) <= w.
    Proof.
      intro i. destruct (rates0 i) as [a1 a2]. destruct (rates1 i) as [c1 c2]. apply abs_le. unfold d, w.
      assert (0 <= (m - r0 i) * q) by (apply Qmult_le_0_compat; lra).
      assert (0 <= (q - r1 i) * m) by (apply Qmult_le_0_compat; lra).
      assert (0 <= r0 i * q) by (apply Qmult_le_0_compat; lra). assert (0 <= r1 i * m) by (apply Qmult_le_0_compat; lra).
      lra.
    Qed.

    Lemma quotient_holds : forall y i, y = Up judges \/ y = Down judges -> (i < judges)%nat ->
      between (Qabs (d i)) (top judges m q d y) (quotient judges n b y i).
    Proof.
      intros y i which hi. assert (abs_low := Qabs_nonneg (d i)).
      assert (sizes : 0 < top judges m q d y /\ 0 < top judges m q d (inverse y) /\ under judges d y == 1
        /\ under judges d (inverse y) == 1 /\ top judges m q d y * top judges m q d (inverse y) == w
          /\ w <= (m + q) * top judges m q d y).
      { assert (a1 : 0 < m * m) by (apply Qmult_lt_0_compat; assumption).
      assert (a2 : 0 < q * q) by (apply Qmult_lt_0_compat; assumption).
        unfold w. destruct which as [-> | ->]; simpl; rewrite !Nat.eqb_refl; repeat split; try assumption; try reflexivity;
          try ring; lra. }
      destruct sizes as [py [pz [uy [uz [yz wide]]]]].
      assert (known_y : (match y with Up i | Down i => i end <= judges)%nat) by (destruct which; subst; simpl; lia).
      assert (known_z : (match inverse y with Up i | Down i => i end <= judges)%nat) by (destruct which; subst; simpl; lia).
      assert (ui : under judges d (Up i) == 1) by reflexivity.
      assert (not_last : Nat.eqb i judges = false) by (apply Nat.eqb_neq; lia).
      assert (ti : top judges m q d (Up i) = Qabs (d i)) by (simpl; rewrite not_last; reflexivity).
      assert (td : top judges m q d (Down i) = w) by (simpl; rewrite not_last; reflexivity).
      assert (ud : under judges d (Down i) = Qabs (d i)) by (simpl; rewrite not_last; reflexivity).
      assert (h1 := bound_holds judges m q d b y (Up i) all known_y ltac:(simpl; lia)).
      assert (h2 := bound_holds judges m q d b (Down i) (Up i) all ltac:(simpl; lia) ltac:(simpl; lia)).
      assert (h3 := bound_holds judges m q d b y (inverse y) all known_y known_z).
      assert (h4 := bound_holds judges m q d b (Up i) y all ltac:(simpl; lia) known_y).
      assert (h5 := bound_holds judges m q d b (Up i) (Down i) all ltac:(simpl; lia) ltac:(simpl; lia)).
      assert (h6 := bound_holds judges m q d b (inverse y) y all known_z known_y).
      unfold holds in h1, h2, h3, h4, h5, h6.
      rewrite ti in *. rewrite td, ud in *. 
      set (Y := top judges m q d y) in *. set (Z := top judges m q d (inverse y)) in *.
      unfold quotient, between. simpl fst. simpl snd. fold get. split.
      - apply max_least; apply one_over_holds; try exact abs_low.
        + intros c e. fold get in h1. rewrite e in h1. destruct h1 as [_ h1]. rewrite uy, ui in h1. lra.
        + fold get in h2, h3. destruct (get (Down i) (Up i)) as [c |]; [| discriminate].
          destruct (get y (inverse y)) as [e |]; [| discriminate]. simpl product. unfold option_map. intros r' same.
          injection same as <-. destruct h2 as [pc h2]. destruct h3 as [pe h3]. rewrite ui, uz, uy in *.
          assert (pce : 0 <= c * e) by (apply Qmult_le_0_compat; assumption).
          destruct (root_above_holds (Qred (c * e))) as [pr root]; [rewrite Qred_correct; exact pce |].
          set (r' := root_above _) in *. rewrite Qred_correct in root.
          apply squares; [apply Qmult_le_0_compat; lra |].
          assert (k1 : Y * Y <= e * (Y * Z)).
          { assert (k := one_times Y Y Y (e * Z) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)). lra. }
          rewrite yz in k1.
          assert (k2 := one_times e e w (c * (Qabs (d i) * Qabs
            (d i))) pe ltac:(lra) ltac:(apply Qlt_le_weak, w_positive) ltac:(lra)).
          assert (k3 := one_times (c * e) (r' * r') (Qabs (d i) * Qabs (d i)) _ pce root ltac:(apply Qmult_le_0_compat;
            exact abs_low) (Qle_refl _)).
          lra.
      - fold get in h4, h5, h6. assert (wide' := d_within i).
        assert (last : Qabs (d i) <= inject_Z n * Y) by (rewrite size_is; lra).
        assert (first : forall c, get (Up i) y = Some c -> Qabs (d i) <= c * Y).
        { intros c e. rewrite e in h4. destruct h4 as [_ h4]. rewrite uy, ui in h4. lra. }
        assert (second : forall c, option_map root_above (product (get (Up i) (Down i)) (get (inverse y) y)) = Some c ->
          Qabs (d i) <= c * Y).
        { destruct (get (Up i) (Down i)) as [c |]; [| discriminate]. destruct (get (inverse y) y) as [e |]; [| discriminate].
          simpl product. unfold option_map. intros r' same. injection same as <-. destruct h5 as [pc h5].
          destruct h6 as [pe h6].
          rewrite ui, uz, uy in *. assert (pce : 0 <= c * e) by (apply Qmult_le_0_compat; assumption).
          destruct (root_above_holds (Qred (c * e))) as [pr root]; [rewrite Qred_correct; exact pce |].
          set (r' := root_above _) in *. rewrite Qred_correct in root. apply squares; [apply Qmult_le_0_compat; lra |].
          assert (k1 := one_times (Y * Z) (Y * (e * Y)) c c ltac:(apply Qmult_le_0_compat; lra)
            ltac:(apply one_times; lra) pc ltac:(lra)). rewrite yz in k1.
          assert (k3 := one_times (c * e) (r' * r') (Y * Y) _ pce root ltac:(apply Qmult_le_0_compat; lra) (Qle_refl _)).
          lra. }
        destruct (get (Up i) y) as [c |]; destruct (option_map root_above _) as [e |]; simpl; try exact last;
          try (apply first; reflexivity); try (apply second; reflexivity).
        destruct (Qle_bool c e); [apply first | apply second]; reflexivity.
    Qed.

    Lemma times_hold : forall i, (i < judges)%nat -> between (Qabs (d i)) m (times judges n b i).
    Proof.
      intros i hi. assert (h := quotient_holds (Down judges) i ltac:(tauto) hi). simpl in h. rewrite Nat.eqb_refl in h.
      exact h.
    Qed.
    Lemma over_hold : forall i, (i < judges)%nat -> between (Qabs (d i)) q (over judges n b i).
    Proof.
      intros i hi. assert (h := quotient_holds (Up judges) i ltac:(tauto) hi). simpl in h. rewrite Nat.eqb_refl in h.
      exact h.
    Qed.

    Lemma rate_range_holds : forall plus first x part whole e, (0 <= part /\ part <= whole) -> 0 < whole ->
      (m + q) * part == inject_Z first * whole + (if plus : bool then x else - x) -> between x whole e ->
      between part whole (rate_range n plus first e).
    Proof.
      intros plus first x part whole [low' high'] [pl ph] pw id [hl hh]. simpl in hl, hh. unfold rate_range.
      assert (n_positive : 0 < m + q) by lra.
      assert (ends_hold : forall a c, a * whole <= (m + q) * part -> (m + q) * part <= c * whole ->
        between part whole (Qmax 0 (Qred (a / inject_Z n)), Qmin 1 (Qred (c / inject_Z n)))).
      { intros a c ha hc. split; cbn [fst snd].
        - apply max_least; [lra |]. rewrite Qred_correct, size_is. apply (cancelled _ _ (m + q) n_positive).
          setoid_replace (a / (m + q) * whole * (m + q)) with (a * whole) by (field; lra). lra.
        - apply min_most; [lra |]. rewrite Qred_correct, size_is. apply (cancelled _ _ (m + q) n_positive).
          setoid_replace (c / (m + q) * whole * (m + q)) with (c * whole) by (field; lra). lra. }
      destruct plus; simpl fst; simpl snd; apply ends_hold; lra.
    Qed.

    Lemma first_rate : forall i, (i < judges)%nat -> between (r0 i) m (rate_range n (sg i) (one i) (times judges n b i)).
    Proof.
      intros i hi. apply (rate_range_holds _ _ (Qabs (d i))); [apply rates0 | exact some_m | | apply times_hold; exact hi].
      rewrite (one_is i hi). destruct (size_of_d i) as [[-> [e _]] | [-> [e _]]]; cbv iota; rewrite e; unfold d; ring.
    Qed.
    Lemma second_rate : forall i, (i < judges)%nat ->
      between (r1 i) q (rate_range n (negb (sg i)) (one i) (over judges n b i)).
    Proof.
      intros i hi. apply (rate_range_holds _ _ (Qabs (d i))); [apply rates1 | exact some_q | | apply over_hold; exact hi].
      rewrite (one_is i hi).
      destruct (size_of_d i) as [[-> [e _]] | [-> [e _]]]; simpl negb; cbv iota; rewrite e; unfold d; ring.
    Qed.

    (** Three judges. *)
    Let n3 := inject_Z (n * n * n).
    Lemma third_near : forall i j k, trios = true -> (i < j)%nat -> (j < k)%nat -> (k < judges)%nat ->
      Qabs (inject_Z (three i j k) * (w * w) - (q - m) * (d i * d j * d k))
        <= delta * ((m + q) * (m + q) * (m + q) + 2 * (m + q) * (Qabs (d i) + Qabs (d j) + Qabs (d k))) * (w * w).
    Proof.
      intros i j k yes ij jk hk. rewrite (three_is i j k) by lia.
      set (y0 := trio_of m r0 s0 t0 i j k). set (y1 := trio_of q r1 s1 t1 i j k).
      set (x0 := pair_of m r0 s0). set (x1 := pair_of q r1 s1).
      assert (id : ((m + q) * (m + q) * (t0 i j k + t1 i j k)
        - (m + q) * ((r0 i + r1 i) * (s0 j k + s1 j k) + (r0 j + r1 j) * (s0 i k + s1 i k) + (r0 k + r1 k) * (s0 i j
          + s1 i j))
        + 2 * (r0 i + r1 i) * (r0 j + r1 j) * (r0 k + r1 k)) * (w * w) - (q - m) * (d i * d j * d k)
        == (m + q) * (m + q) * (q * q * y0 + m * m * y1)
           + (m + q) * (d i * (q * q * x0 j k - m * m * x1 j k) + d j * (q * q * x0 i k - m * m * x1 i k)
                        + d k * (q * q * x0 i j - m * m * x1 i j))).
      { unfold y0, y1, x0, x1, trio_of, pair_of, w, d. ring. }
      rewrite id. clear id.
      assert (pm : 0 <= m * m) by (apply Qmult_le_0_compat; lra). assert (pq : 0 <= q * q) by (apply Qmult_le_0_compat; lra).
      assert (pn : 0 <= (m + q) * (m + q)) by (apply Qmult_le_0_compat; lra).
      assert (small : forall a c, (a < judges)%nat -> (c < judges)%nat -> a <> c ->
        Qabs (q * q * x0 a c - m * m * x1 a c) <= 2 * delta * (w * w)).
      { intros a c ha hc other.
      setoid_replace (2 * delta * (w * w)) with (q * q * (delta * (m * m)) + m * m * (delta * (q * q)))
          by (unfold w; ring).
        apply small_minus; apply small_times; try assumption; [apply pairs0 | apply pairs1]; assumption. }
      assert (weighted : forall e z y, Qabs z <= y -> Qabs (e * z) <= Qabs e * y).
      { intros e z y h. rewrite Qabs_Qmult. apply one_times; try apply Qabs_nonneg; [apply Qle_refl | exact h]. }
      setoid_replace (delta * ((m + q) * (m + q) * (m + q) + 2 * (m + q) * (Qabs (d i) + Qabs (d j) + Qabs (d k))) * (w * w))
        with ((m + q) * (m + q) * (q * q * (delta * (m * m * m)) + m * m * (delta * (q * q * q)))
          + (m + q) * (Qabs (d i) * (2 * delta * (w * w)) + Qabs (d j) * (2 * delta * (w * w))
            + Qabs (d k) * (2 * delta * (w * w))))
        by (unfold w; ring).
      apply small_plus; apply small_times; try assumption; try lra.
      - apply small_plus; apply small_times; try assumption; [apply trios0 | apply trios1]; assumption.
      - apply small_plus; [apply small_plus |]; apply weighted; apply small; lia.
    Qed.

    Lemma pair_high : forall i j c, (i < judges)%nat -> (j < judges)%nat -> get (Up i) (Down j) = Some c ->
      Qabs (d i) * Qabs (d j) <= c * w.
    Proof.
      intros i j c hi hj e. assert (h := bound_holds judges m q d b (Up i) (Down j) all ltac:(simpl; lia) ltac:(simpl; lia)).
      fold get in h. rewrite e in h. destruct h as [_ h]. unfold top, under in h.
      rewrite (proj2 (Nat.eqb_neq i judges)), (proj2 (Nat.eqb_neq j judges)) in h by lia. unfold w. lra.
    Qed.
    Lemma pair_low : forall i j, (i < judges)%nat -> (j < judges)%nat ->
      one_over (get (Down i) (Up j)) * w <= Qabs (d i) * Qabs (d j).
    Proof.
      intros i j hi hj. assert (h := bound_holds judges m q d b (Down i) (Up j) all ltac:(simpl; lia) ltac:(simpl; lia)).
      apply one_over_holds; [apply Qmult_le_0_compat; apply Qabs_nonneg |]. intros c e. fold get in h. rewrite e in h.
      destruct h as [_ h]. unfold top, under in h.
      rewrite (proj2 (Nat.eqb_neq i judges)), (proj2 (Nat.eqb_neq j judges)) in h by lia. unfold w. lra.
    Qed.
    Lemma one_over_low : forall c, 0 <= one_over c.
    Proof.
      intros [c |]; simpl; [| lra]. destruct (Qle_bool c 0) eqn:e; [lra |]. apply at_most_false in e.
      apply Qlt_le_weak, Qinv_lt_0_compat. exact e.
    Qed.

    Let plus3 i j k : bool := xorb (sg i) (xorb (sg j) (sg k)).
    Let sizes3 i j k : Q := Qabs (d i) * Qabs (d j) * Qabs (d k).
    Lemma signed_three : forall i j k, d i * d j * d k == (if plus3 i j k then 1 else - (1)) * sizes3 i j k.
    Proof.
      intros i j k. unfold plus3, sizes3.
      destruct (size_of_d i) as [[-> [-> _]] | [-> [-> _]]]; destruct (size_of_d j) as [[-> [-> _]] | [-> [-> _]]];
        destruct (size_of_d k) as [[-> [-> _]] | [-> [-> _]]]; simpl xorb; cbv iota; ring.
    Qed.

    Lemma trio_passes : forall share i j k, trios = true -> (i < j)%nat -> (j < k)%nat -> (k < judges)%nat ->
      0 < fst share -> snd share < 1 -> between m (m + q) share ->
      trio_fails judges delta n three real_signs b share i j k = false.
    Proof.
      intros [least most] i j k yes ij jk hk pl pm [from to]. simpl in pl, pm, from, to.
      assert (hi : (i < judges)%nat) by lia. assert (hj : (j < judges)%nat) by lia. assert (wp := w_positive).
      unfold trio_fails. fold get. rewrite !real_sign by assumption. fold (plus3 i j k).
      destruct (get (Up i) (Down j)) as [h1 |] eqn:e1; [| reflexivity].
      destruct (get (Up i) (Down k)) as [h2 |] eqn:e2; [| reflexivity].
      destruct (get (Up j) (Down k)) as [h3 |] eqn:e3; [| reflexivity]. cbn [product].
      set (high := Qred (h1 * Qred (h2 * h3))).
      set (low' := one_over (get (Down i) (Up j)) * one_over (get (Down i) (Up k)) * one_over (get (Down j) (Up k))).
      set (apart := fun i => Qmin 1 ((snd (times judges n b i) + snd (over judges n b i)) / inject_Z n)).
      set (middle := Qmin (Qmax least (1 # 2)) most).
      change (Qmin 1 ((snd (times judges n b i) + snd (over judges n b i)) / inject_Z n)) with (apart i).
      change (Qmin 1 ((snd (times judges n b j) + snd (over judges n b j)) / inject_Z n)) with (apart j).
      change (Qmin 1 ((snd (times judges n b k) + snd (over judges n b k)) / inject_Z n)) with (apart k).
      set (slack := delta * (1 + 2 * middle * (1 - middle) * (apart i + apart j + apart k)) * inject_Z (n * n * n)).
      set (size := m + q) in *. assert (ps : 0 < size) by (unfold size; lra).
      set (p := m / size). assert (psize : p * size == m) by (unfold p; field; lra).
      assert (lp : least <= p) by (apply (cancelled _ _ size ps); lra).
      assert (ph : p <= most) by (apply (cancelled _ _ size ps); lra).
      assert (wsize : p * (1 - p) * (size * size) == w).
      { setoid_replace (p * (1 - p) * (size * size)) with (p * size * (size - p * size)) by ring. rewrite psize.
      unfold size, w. ring. }
      assert (mid := nearest_half p least most lp ph). cbv zeta in mid. fold middle in mid.
      assert (w_mid : w <= middle * (1 - middle) * (size * size)).
      { rewrite <- wsize. assert (0 < size * size) by (apply Qmult_lt_0_compat; assumption).
        assert (0 <= (middle * (1 - middle) - p * (1 - p)) * (size * size)) by (apply Qmult_le_0_compat; lra). lra. }
      assert (far : forall i, (i < judges)%nat -> Qabs (d i) <= apart i * w).
      { intros a ha. unfold apart. apply min_most; [assert (k0 := d_within a); lra |].
        destruct (times_hold a ha) as [_ th]. destruct (over_hold a ha) as [_ oh]. rewrite size_is. fold size.
        apply (cancelled _ _ size ps).
        setoid_replace ((snd (times judges n b a) + snd (over judges n b a)) / size * w * size)
          with ((snd (times judges n b a) + snd (over judges n b a)) * w) by (field; lra).
        assert (0 <= (snd (times judges n b a) * m - Qabs (d a)) * q) by (apply Qmult_le_0_compat; lra).
        assert (0 <= (snd (over judges n b a) * q - Qabs (d a)) * m) by (apply Qmult_le_0_compat; lra).
        unfold w, size. lra. }
      assert (far_low : forall i, (i < judges)%nat -> 0 <= apart i).
      { intros a ha. apply (cancelled _ _ w wp). assert (z := far a ha). assert (y := Qabs_nonneg (d a)). lra. }
      set (sum := Qabs (d i) + Qabs (d j) + Qabs (d k)).
      assert (sum_far : sum <= (apart i + apart j + apart k) * w)
        by (unfold sum; assert (z1 := far i hi); assert (z2 := far j hj); assert (z3 := far k hk); lra).
      set (parts := apart i + apart j + apart k) in *.
      assert (parts_low : 0 <= parts)
        by (unfold parts; assert (z1 := far_low i hi); assert (z2 := far_low j hj); assert (z3 := far_low k hk); lra).
      set (x := (q - m) * (d i * d j * d k) / (w * w)). assert (ww : 0 < w * w) by (apply Qmult_lt_0_compat; assumption).
      assert (near := third_near i j k yes ij jk hk). fold size sum in near. apply abs_le in near.
      assert (cube : inject_Z (n * n * n) == size * size * size) by (rewrite !inject_Z_mult, size_is; reflexivity).
      assert (slack_far : delta * (size * size * size + 2 * size * sum) <= slack).
      { unfold slack. rewrite cube.
        assert (k1 : 0 <= delta * (2 * size * (parts * (middle * (1 - middle) * (size * size) - w)))).
        { repeat apply Qmult_le_0_compat; lra. }
        assert (k2 : 0 <= delta * (2 * size * (parts * w - sum))) by (repeat apply Qmult_le_0_compat; lra). lra. }
      assert (xw : x * (w * w) == (q - m) * (d i * d j * d k)) by (unfold x; field; lra).
      set (moment := inject_Z (three i j k)) in *.
      assert (below_x : moment - slack <= x).
      { apply (cancelled _ _ (w * w) ww). assert (0 <= (slack - delta * (size * size * size + 2 * size * sum)) * (w * w))
          by (apply Qmult_le_0_compat; lra). lra. }
      assert (above_x : x <= moment + slack).
      { apply (cancelled _ _ (w * w) ww). assert (0 <= (slack - delta * (size * size * size + 2 * size * sum)) * (w * w))
          by (apply Qmult_le_0_compat; lra). lra. }
      set (omega := sizes3 i j k * sizes3 i j k / (w * w * w)).
      assert (www : 0 < w * w * w) by (apply Qmult_lt_0_compat; assumption).
      assert (a1 := Qabs_nonneg (d i)). assert (a2 := Qabs_nonneg (d j)). assert (a3 := Qabs_nonneg (d k)).
      assert (s_low : 0 <= sizes3 i j k) by (unfold sizes3; repeat apply Qmult_le_0_compat; assumption).
      assert (ow : omega * (w * w * w) == (Qabs (d i) * Qabs (d j)) * (Qabs (d i) * Qabs (d k)) * (Qabs (d j) * Qabs (d k)))
        by (unfold omega, sizes3; field; lra).
      assert (p1 : 0 <= Qabs (d i) * Qabs (d j)) by (apply Qmult_le_0_compat; assumption).
      assert (p2 : 0 <= Qabs (d i) * Qabs (d k)) by (apply Qmult_le_0_compat; assumption).
      assert (p3 : 0 <= Qabs (d j) * Qabs (d k)) by (apply Qmult_le_0_compat; assumption).
      assert (o_high : omega <= high).
      { apply (cancelled _ _ (w * w * w) www). rewrite ow. unfold high. rewrite !Qred_correct.
        setoid_replace (h1 * (h2 * h3) * (w * w * w)) with (h1 * w * (h2 * w) * (h3 * w)) by ring.
        assert (b1 := pair_high i j h1 hi hj e1). assert (b2 := pair_high i k h2 hi hk e2).
        assert (b3 := pair_high j k h3 hj hk e3).
        apply one_times; try assumption; [apply Qmult_le_0_compat; assumption | apply one_times; assumption]. }
      assert (o_low : low' <= omega).
      { apply (cancelled _ _ (w * w * w) www). rewrite ow. unfold low'.
        assert (b1 := pair_low i j hi hj). assert (b2 := pair_low i k hi hk). assert (b3 := pair_low j k hj hk).
        assert (l1 := one_over_low (get (Down i) (Up j))). assert (l2 := one_over_low (get (Down i) (Up k))).
        assert (l3 := one_over_low (get (Down j) (Up k))).
        set (x1 := one_over (get (Down i) (Up j))) in *. set (x2 := one_over (get (Down i) (Up k))) in *.
        set (x3 := one_over (get (Down j) (Up k))) in *.
        setoid_replace (x1 * x2 * x3 * (w * w * w)) with (x1 * w * (x2 * w) * (x3 * w)) by ring.
        apply one_times; try assumption; [| apply one_times; try assumption |];
          repeat apply Qmult_le_0_compat; try assumption; lra. }
      assert (o_zero : 0 <= omega).
      { apply (cancelled _ _ (w * w * w) www). rewrite ow. rewrite Qmult_0_l. repeat apply Qmult_le_0_compat; assumption. }
      assert (tilt_p : tilt p * w == signed_square (q - m)).
      { unfold tilt. fold (signed_square (1 - 2 * p)).
        assert (gap : signed_square (1 - 2 * p) == signed_square (q - m) * (/ size * / size)).
        { rewrite <- signed_square_times by (apply Qlt_le_weak, Qinv_lt_0_compat; exact ps). unfold signed_square.
          assert (same : 1 - 2 * p == (q - m) * / size) by (unfold p, size; field; lra). rewrite same. reflexivity. }
        rewrite gap, <- wsize. assert (0 < p) by lra. field. repeat split; lra. }
      assert (square_x : signed_square x == (if plus3 i j k then 1 else - (1)) * (omega * tilt p)).
      { assert (same : x == (if plus3 i j k then 1 else - (1)) * (q - m) * (sizes3 i j k / (w * w))).
        { unfold x. rewrite signed_three. field. lra. }
        assert (c_low : 0 <= sizes3 i j k / (w * w)).
        { apply Qle_shift_div_l; [exact ww | lra]. }
        unfold signed_square at 1. rewrite same.
        fold (signed_square ((if plus3 i j k then 1 else - (1)) * (q - m) * (sizes3 i j k / (w * w)))).
        rewrite signed_square_times by exact c_low.
        assert (sign : signed_square ((if plus3 i j k then 1 else - (1)) * (q - m)) == (if plus3 i j k then 1 else -
          (1)) * signed_square (q - m)).
        { unfold signed_square. rewrite Qabs_Qmult. destruct (plus3 i j k); simpl Qabs; ring. }
        rewrite sign, <- tilt_p. unfold omega. field. lra. }
      assert (fall1 := tilt_falls least p pl lp ltac:(lra)). assert (fall2 := tilt_falls p most ltac:(lra) ph pm).
      assert (up := corner_most omega low' high (tilt p) (tilt least) o_zero o_low o_high fall1).
      assert (down := corner_least omega low' high (tilt most) (tilt p) o_zero o_low o_high fall2).
      assert (g1 := signed_square_grows _ _ below_x). assert (g2 := signed_square_grows _ _ above_x).
      destruct (plus3 i j k); apply orb_false_iff; split; apply negb_false_iff, Qle_bool_iff; lra.
    Qed.

    Lemma cell_found : forall start stop, (0 < start)%Z -> (stop < n)%Z -> inject_Z start <= m -> m <= inject_Z stop ->
      exists c, In c (cell_of judges trios delta n one three real_signs b start stop) /\ in_cell judges m q r0 r1 c.
    Proof.
      intros start stop begins ends from to. unfold cell_of. fold get.
      set (least := Qmax _ _). set (most := Qmin _ _). assert (ps : 0 < m + q) by lra.
      assert (h1 := bound_holds judges m q d b (Up judges) (Down judges) all ltac:(simpl; lia) ltac:(simpl; lia)).
      assert (h2 := bound_holds judges m q d b (Down judges) (Up judges) all ltac:(simpl; lia) ltac:(simpl; lia)).
      fold get in h1, h2. unfold holds, top, under in h1, h2. rewrite !Nat.eqb_refl in h1, h2.
      assert (from_least : least * (m + q) <= m).
      { apply max_least.
        - rewrite size_is. setoid_replace (inject_Z start / (m + q) * (m + q)) with (inject_Z start) by (field; lra).
        exact from.
        - apply one_over_holds; [lra |]. intros c e. simpl inverse in e.
        destruct (get (Up judges) (Down judges)) as [t |]; [| discriminate].
          injection e as <-. destruct h1 as [_ h1]. lra. }
      assert (to_most : m <= most * (m + q)).
      { apply min_most.
        - rewrite size_is. setoid_replace (inject_Z stop / (m + q) * (m + q)) with (inject_Z stop) by (field; lra). exact to.
        - simpl inverse.
        assert (other : one_over (option_map (Qplus 1) (get (Down judges) (Up judges))) * (m + q) <= q); [| lra].
          apply one_over_holds; [lra |]. intros c e. destruct (get (Down judges) (Up judges)) as [t |]; [| discriminate].
          injection e as <-. destruct h2 as [_ h2]. lra. }
      assert (pl : 0 < least).
      { unfold least.
      assert (z := Q.le_max_l (inject_Z start / inject_Z n) (one_over (option_map (Qplus 1) (get (Up judges) (inverse
        (Up judges)))))).
        assert (0 < inject_Z start / inject_Z n); [| lra]. rewrite size_is. apply Qlt_shift_div_l; [exact ps |].
        assert (k := positive_z start begins). lra. }
      assert (pm : most < 1).
      { unfold most.
      assert (z := Q.le_min_l (inject_Z stop / inject_Z n) (1 - one_over (option_map (Qplus 1) (get (inverse (Up judges))
        (Up judges))))).
        assert (inject_Z stop / inject_Z n < 1); [| lra]. rewrite size_is. apply Qlt_shift_div_r; [exact ps |].
        assert (k := positive_z (n - stop) ltac:(lia)). unfold Z.sub in k.
        rewrite inject_Z_plus, inject_Z_opp, size_is in k. lra. }
      rewrite (no_contradiction judges m q d some_m some_q b all). simpl orb.
      assert (order : Qle_bool least most = true).
      { apply Qle_bool_iff. apply (cancelled _ _ (m + q) ps). lra. }
      rewrite order. simpl negb. simpl orb.
      assert (share : between m (m + q) (Qred least, Qred most)).
      { split; cbn [fst snd]; rewrite Qred_correct; assumption. }
      assert (no_trio : trios && any_trio judges (trio_fails judges delta n three real_signs b
        (Qred least, Qred most)) = false).
      { assert (either : trios = false \/ trios = true) by (destruct trios; tauto).
      destruct either as [no | yes]; [rewrite no; reflexivity |].
        rewrite yes. simpl. destruct (any_trio _ _) eqn:e; [exfalso | reflexivity].
        destruct (any_trio_means _ _ e) as [i [j [k [ij [jk [hk fails]]]]]].
        rewrite (trio_passes (Qred least, Qred most) i j k yes ij jk hk) in fails; [discriminate | | | exact share];
          cbn [fst snd]; rewrite Qred_correct; assumption. }
      rewrite no_trio. eexists. split; [left; reflexivity |]. split; [exact share |].
      split; [cbn [snd]; rewrite map_length, seq_length; reflexivity |]. intros i hi. cbn [snd]. set (f := fun i => _).
      rewrite (nth_indep _ _ (f O)) by (rewrite map_length, seq_length; exact hi).
      rewrite (map_nth f), seq_nth by exact hi. unfold f. simpl Nat.add. rewrite !(real_sign i true hi). cbn [fst snd].
      split; [apply first_rate | apply second_rate]; exact hi.
    Qed.
  End Left.

  Variable whole : Z.
  Hypothesis m_is : m == inject_Z whole.
  Lemma cells_found : forall cuts, cover n cuts = true ->
    exists c, In c (cells_of judges trios delta n one two three cuts real_signs) /\ in_cell judges m q r0 r1 c.
  Proof.
    intros cuts covered. unfold cover in covered. rewrite andb_true_iff, Z.eqb_eq in covered.
    destruct covered as [to known_cuts].
    unfold cells_of.
    assert (start := multiplied_holds judges m q d some_m some_q (nodes judges) _ (nodes_known judges)
      (tabulated_holds judges m q d _ first_holds)).
    set (b := multiplied judges (nodes judges) _) in *.
    rewrite (no_contradiction judges m q d some_m some_q b start).
    assert (positive : (0 < whole)%Z) by (rewrite Zlt_Qlt, <- m_is; exact some_m).
    assert (less_n : (whole < n)%Z) by (rewrite Zlt_Qlt, <- m_is, size_is; lra).
    apply (each_range_finds _ _ n whole); try assumption; try lia.
    intros from stop begins ends between_them.
    assert (a : inject_Z from <= m) by (rewrite m_is, <- Zle_Qle; lia).
    assert (c : m <= inject_Z stop) by (rewrite m_is, <- Zle_Qle; lia).
    apply cell_found; try assumption. apply multiplied_holds; try assumption.
    - intros y [<- | [<- | []]]; simpl; lia.
    - apply both_holds; [exact start |]. apply tabulated_holds. apply shares_hold; assumption.
  Qed.
End Numbers.
