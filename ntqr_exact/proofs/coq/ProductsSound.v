(** The cells miss no key; so where all of them contradict the conditions, no key meets these. *)

From Coq Require Import ZArith QArith Qabs Qminmax Lqa List Lia Bool PeanoNat.
From NtqrExact Require Import Questions Dependence Budget Whole WholeSound Products ProductBounds ProductCells.
Import ListNotations.
Open Scope Q_scope.

(** One key of the votes. *)
Section Key.
  Variables (judges : nat) (trios : bool) (delta : Q) (better : list nat) (votes : counted) (test : list question).
  Hypothesis of_votes : test_of 2 votes test.
  Hypothesis in_budget : within 2 judges true trios delta test.
  Hypothesis all_better : forall i, In i better -> no_worse_than_chance 2 votes test i.
  Hypothesis some : (0 < total snd votes)%Z.
  Hypothesis low : 0 <= delta.

  Let number := inject_Z.
  Let m (l : nat) : Q := number (asked l test).
  Let alone (l i : nat) : Q := number (r l test i).
  Let together (l i j : nat) : Q := number (s l test i j).
  Let three_of (l i j k : nat) : Q := number (t l test i j k).

  Lemma asked_in_q : forall l, (0 < asked l test)%Z -> 0 < m l.
  Proof. intros l h. apply positive_z. exact h. Qed.

  Lemma pair_small : forall l i j, (l < 2)%nat -> (0 < asked l test)%Z -> (i < judges)%nat -> (j < judges)%nat -> i <> j ->
    Qabs (m l * together l i j - alone l i * alone l j) <= delta * (m l * m l).
  Proof.
    intros l i j label here hi hj other. assert (p := asked_in_q l here).
    assert (ordered : forall i j, (i < j < judges)%nat ->
      Qabs (m l * together l i j - alone l i * alone l j) <= delta * (m l * m l)).
    { clear i j hi hj other. intros i j order.
      assert (h := proj1 in_budget eq_refl l i O j O label order (or_introl eq_refl) (or_introl eq_refl)).
      assert (e := pair_is l test here i 0 j 0). fold (asked l test) in e. fold (number (asked l test)) in e.
      fold (m l) in e.
      assert (same : number (pair_moment l test i 0 j 0) == m l * together l i j - alone l i * alone l j).
      { unfold pair_moment, Z.sub, number. rewrite inject_Z_plus, inject_Z_opp, !inject_Z_mult. reflexivity. }
      rewrite <- same. unfold number. rewrite <- e, Qabs_Qmult.
      assert (q : 0 <= m l * m l) by (apply Qmult_le_0_compat; lra). rewrite (Qabs_pos _ q).
      apply one_times; [apply Qabs_nonneg | exact h | exact q | lra]. }
    destruct (Nat.lt_total i j) as [h | [h | h]]; [apply ordered; lia | lia |].
    assert (e : together l i j = together l j i) by (unfold together, s; f_equal; apply on_same; intro; lia).
    rewrite e. setoid_replace (m l * together l j i - alone l i * alone l j)
      with (m l * together l j i - alone l j * alone l i) by ring. apply ordered. lia.
  Qed.

  Lemma trio_small : trios = true -> forall l i j k, (l < 2)%nat -> (0 < asked l test)%Z -> (i < j)%nat -> (j < k)%nat ->
    (k < judges)%nat ->
    Qabs (m l * m l * three_of l i j k - m l * (alone l i * together l j k + alone l j * together l i k
      + alone l k * together l i j)
      + 2 * alone l i * alone l j * alone l k) <= delta * (m l * m l * m l).
  Proof.
    intros yes l i j k label here ij jk hk. assert (p := asked_in_q l here).
    assert (h := proj2 in_budget yes l i O j O k O label ij (conj jk hk) (or_introl eq_refl) (or_introl eq_refl)
      (or_introl eq_refl)).
    assert (e := trio_is l test here i 0 j 0 k 0). fold (asked l test) in e. fold (number (asked l test)) in e.
    fold (m l) in e.
    assert (same : number (trio_moment l test i 0 j 0 k 0) == m l * m l * three_of l i j k
      - m l * (alone l i * together l j k + alone l j * together l i k + alone l k * together l i j)
        + 2 * alone l i * alone l j * alone l k).
    { unfold trio_moment, Z.sub, number.
    rewrite !inject_Z_plus, inject_Z_opp, !inject_Z_mult, !inject_Z_plus, !inject_Z_mult. reflexivity. }
    rewrite <- same. unfold number. rewrite <- e, Qabs_Qmult.
    assert (q : 0 <= m l * m l * m l) by (repeat apply Qmult_le_0_compat; lra). rewrite (Qabs_pos _ q).
    apply one_times; [apply Qabs_nonneg | exact h | exact q | lra].
  Qed.

  Lemma rate_low : forall l i, 0 <= alone l i /\ alone l i <= m l.
  Proof.
    intros l i. assert (h := r_within l test i). unfold alone, m, number. change 0 with (inject_Z 0). rewrite <- !Zle_Qle.
    exact h.
  Qed.
  Lemma together_self : forall l i, together l i i == alone l i.
  Proof.
    intros l i. unfold together, alone, s, r. rewrite (on_same l _ (gave i 0)); [reflexivity |].
    intro p. unfold gave, indicator. destruct (Nat.eqb (nth i p O) 0); lia.
  Qed.

  (** The sums of the votes. *)
  Let sum f := total (fun v => (snd v * f (fst v))%Z) votes.
  Let n := total snd votes.
  Variables (one : nat -> Z) (two : nat -> nat -> Z) (three : nat -> nat -> nat -> Z).
  Hypothesis one_is : forall i, (i < judges)%nat -> one i = sum (gave i 0).
  Let s_of i j := sum (fun p => gave i 0 p * gave j 0 p)%Z.
  Hypothesis two_is : forall i j, (i < judges)%nat -> (j < judges)%nat -> two i j = (n * s_of i j - one i * one j)%Z.
  Hypothesis three_is : forall i j k, (i < judges)%nat -> (j < judges)%nat -> (k < judges)%nat -> three i j k =
    (n * n * sum (fun p => gave i 0 p * gave j 0 p * gave k 0 p)
    - n * (one i * s_of j k + one j * s_of i k + one k * s_of i j) + 2 * one i * one j * one k)%Z.

  Lemma n_in_q : number n == m 0 + m 1.
  Proof. unfold number, m, n. rewrite (sizes votes test of_votes), inject_Z_plus. reflexivity. Qed.
  Lemma sum_in_q : forall f, number (sum f) == number (on 0 f test) + number (on 1 f test).
  Proof. intro f. unfold number, sum. rewrite (in_two votes test of_votes f), inject_Z_plus. reflexivity. Qed.
  Lemma one_in_q : forall i, (i < judges)%nat -> number (one i) == alone 0 i + alone 1 i.
  Proof. intros i h. rewrite (one_is i h). apply sum_in_q. Qed.
  Lemma both_in_q : forall i j, number (s_of i j) == together 0 i j + together 1 i j.
  Proof. intros. apply sum_in_q. Qed.
  Lemma two_in_q : forall i j, (i < judges)%nat -> (j < judges)%nat -> number (two i j) ==
    (m 0 + m 1) * (together 0 i j + together 1 i j) - (alone 0 i + alone 1 i) * (alone 0 j + alone 1 j).
  Proof.
    intros i j hi hj. rewrite (two_is i j hi hj), <- both_in_q, <- (one_in_q i hi), <- (one_in_q j hj), <- n_in_q.
    unfold number, Z.sub. rewrite inject_Z_plus, inject_Z_opp, !inject_Z_mult. reflexivity.
  Qed.
  Lemma three_in_q : forall i j k, (i < judges)%nat -> (j < judges)%nat -> (k < judges)%nat -> number (three i j k) ==
    (m 0 + m 1) * (m 0 + m 1) * (three_of 0 i j k + three_of 1 i j k)
      - (m 0 + m 1) * ((alone 0 i + alone 1 i) * (together 0 j k + together 1 j k)
        + (alone 0 j + alone 1 j) * (together 0 i k + together 1 i k) + (alone 0 k + alone 1 k) * (together 0 i j
          + together 1 i j))
      + 2 * (alone 0 i + alone 1 i) * (alone 0 j + alone 1 j) * (alone 0 k + alone 1 k).
  Proof.
    intros i j k hi hj hk.
    rewrite (three_is i j k hi hj hk), <- !both_in_q, <- (one_in_q i hi), <- (one_in_q j hj), <- (one_in_q k hk), <- n_in_q.
    assert (e : three_of 0 i j k + three_of 1 i j k == number (sum (fun p => gave i 0 p * gave j 0 p * gave k 0 p)%Z)).
    { symmetry. apply sum_in_q. }
    rewrite e. unfold number, Z.sub. rewrite !inject_Z_plus, inject_Z_opp, !inject_Z_mult, !inject_Z_plus, !inject_Z_mult.
    reflexivity.
  Qed.

  Lemma better_is_plus : (0 < asked 0 test)%Z -> (0 < asked 1 test)%Z -> forall i, In i better -> (i < judges)%nat ->
    0 <= d (m 0) (m 1) (alone 0) (alone 1) i.
  Proof.
    intros here there i is_better hi. assert (h := all_better i is_better O (or_introl eq_refl) here).
    rewrite (rate_is 0 test i 0) in h. unfold share in h. change (given i 0 votes) with (sum (gave i 0)) in h.
    rewrite <- (one_is i hi) in h. fold (number (one i)) in h. fold n in h. fold (number n) in h.
    rewrite (one_in_q i hi), n_in_q in h.
    fold (r 0 test i) in h. fold (asked 0 test) in h. fold (number (r 0 test i)) in h. fold (alone 0 i) in h.
    fold (number (asked 0 test)) in h. fold (m 0) in h.
    assert (p0 := asked_in_q 0 here). assert (p1 := asked_in_q 1 there). unfold d.
    assert (k : (alone 0 i + alone 1 i) * m 0 <= alone 0 i * (m 0 + m 1)); [| lra].
    apply (Qmult_le_r _ _ (m 0 * (m 0 + m 1))) in h; [| apply Qmult_lt_0_compat; lra].
    setoid_replace ((alone 0 i + alone 1 i) / (m 0 + m 1) * (m 0 * (m 0 + m 1)))
      with ((alone 0 i + alone 1 i) * m 0) in h by (field; lra).
    setoid_replace (alone 0 i / m 0 * (m 0 * (m 0 + m 1))) with (alone 0 i * (m 0 + m 1)) in h by (field; lra). exact h.
  Qed.

  Let found (c : cell) : Prop := in_cell judges (m 0) (m 1) (alone 0) (alone 1) c.

  Lemma one_label_found : forall l, (l < 2)%nat -> asked (1 - l) test = 0%Z ->
    exists c, In c (one_label judges trios delta n one two three) /\ found c.
  Proof.
    intros l label nobody. assert (all := sizes votes test of_votes). fold n in all.
    assert (everybody : asked l test = n) by (destruct l as [| [| l]]; simpl in nobody; lia).
    assert (here : (0 < asked l test)%Z) by (rewrite everybody; exact some).
    assert (ml : m l == number n) by (unfold m; rewrite everybody; reflexivity).
    assert (m0 : m (1 - l) == 0) by (unfold m; rewrite nobody; reflexivity).
    assert (none : forall f, number (on (1 - l) f test) == 0) by (intro f; rewrite on_empty by exact nobody; reflexivity).
    assert (a0 : forall i, alone (1 - l) i == 0) by (intro; apply none).
    assert (two_one : forall x y : nat -> Q, x (1 - l)%nat == 0 -> x 0%nat + x 1%nat == x l).
    { intros x _ z. destruct l as [| [| l]]; simpl in z; [rewrite z; ring | rewrite z; ring | lia]. }
    assert (s_one : forall i, (i < judges)%nat -> number (one i) == alone l i).
    { intros i hi. rewrite (one_in_q i hi). apply (two_one (fun l => alone l i) (fun _ => 0)). apply a0. }
    assert (s_two : forall i j, together 0 i j + together 1 i j == together l i j).
    { intros i j. apply (two_one (fun l => together l i j) (fun _ => 0)). apply none. }
    assert (s_three : forall i j k, three_of 0 i j k + three_of 1 i j k == three_of l i j k).
    { intros i j k. apply (two_one (fun l => three_of l i j k) (fun _ => 0)). apply none. }
    assert (s_alone : forall i, alone 0 i + alone 1 i == alone l i).
    { intros i. apply (two_one (fun l => alone l i) (fun _ => 0)). apply a0. }
    assert (s_m : m 0 + m 1 == m l) by (apply (two_one m (fun _ => 0)); exact m0).
    unfold one_label.
    assert (passes : forallb (fun i => forallb (fun j => Qle_bool (Qabs (inject_Z (two i j))) (delta * inject_Z (n * n)))
      (seq (S i) (judges - S i))) (seq 0 judges)
      && negb (trios && any_trio judges (fun i j k => negb (Qle_bool (Qabs (inject_Z (three i j k))) (delta * inject_Z
        (n * n * n))))) = true).
    { apply andb_true_iff. split.
      - apply forallb_forall. intros i hi. apply in_seq in hi. apply forallb_forall. intros j hj. apply in_seq in hj.
        apply Qle_bool_iff. fold (number (two i j)). rewrite (two_in_q i j) by lia. rewrite s_m, s_two, !s_alone.
        rewrite inject_Z_mult. fold (number n). rewrite <- ml. apply pair_small; try assumption; lia.
      - apply negb_true_iff. assert (either : trios = false \/ trios = true) by (destruct trios; tauto).
        destruct either as [no | yes]; [rewrite no; reflexivity |]. rewrite yes. cbn [andb].
        destruct (any_trio _ _) eqn:e; [exfalso | reflexivity].
        destruct (any_trio_means _ _ e) as [i [j [k [ij [jk [hk fails]]]]]]. apply negb_true_iff in fails.
        apply at_most_false in fails. cbv beta in fails. apply (Qlt_not_le _ _ fails). fold (number (three i j k)).
        rewrite (three_in_q i j k) by lia. rewrite s_m, !s_two, !s_alone, s_three, !inject_Z_mult. fold (number n).
        rewrite <- ml.
        apply trio_small; assumption. }
    rewrite passes. clear passes. cbv zeta beta.
    assert (lengths : forall f i, (i < judges)%nat ->
      nth i (map (fun i => f (Qred (inject_Z (one i) / inject_Z n))) (seq 0 judges)) ((0, 1), (0, 1))
      = f (Qred (inject_Z (one i) / inject_Z n)) :> (ends * ends)).
    { intros f i hi. set (g := fun i => f (Qred (inject_Z (one i) / inject_Z n))).
      rewrite (nth_indep _ _ (g O)) by (rewrite map_length, seq_length; exact hi).
      rewrite (map_nth g), seq_nth by exact hi. reflexivity. }
    assert (pm := asked_in_q l here).
    assert (point : forall i, (i < judges)%nat -> Qred (inject_Z (one i) / inject_Z n) * m l == alone l i).
    { intros i hi. rewrite Qred_correct. fold (number (one i)). fold (number n). rewrite (s_one i hi), <- ml. field. lra. }
    destruct l as [| [| l]]; [| | lia]; cbn [Nat.sub] in m0, a0;
      [eexists; split; [left; reflexivity |] | eexists; split; [right; left; reflexivity |]];
      unfold found, in_cell, between; cbn [fst snd];
      (split; [lra |]); (split; [rewrite map_length, seq_length; reflexivity |]); intros i hi;
      [assert (h := lengths (fun x => ((x, x), (0, 1))) i hi) | assert (h := lengths (fun x => ((0, 1), (x, x))) i hi)];
      unfold ends in *; cbv beta in h; rewrite h; cbn [fst snd]; rewrite (a0 i), m0, (point i hi); lra.
  Qed.

  Lemma all_cells_found : forall cuts, cover n cuts = true ->
    exists c, In c (all_cells judges trios delta better n one two three cuts) /\ found c.
  Proof.
    intros cuts covered. unfold all_cells.
    assert (l0 := asked_low 0 test). assert (l1 := asked_low 1 test).
    destruct (Z.eq_dec (asked 1 test) 0) as [nobody | some1].
    { destruct (one_label_found 0 ltac:(lia) nobody) as [c [there h]]. exists c.
    split; [apply in_or_app; left |]; assumption. }
    destruct (Z.eq_dec (asked 0 test) 0) as [nobody | some0].
    { destruct (one_label_found 1 ltac:(lia) nobody) as [c [there h]]. exists c.
    split; [apply in_or_app; left |]; assumption. }
    assert (p0 : (0 < asked 0 test)%Z) by lia. assert (p1 : (0 < asked 1 test)%Z) by lia.
    assert (signs := signs_found judges delta (m 0) (m 1) (alone 0) (alone 1) (together 0) (together 1) n two
      (asked_in_q 0 p0) (asked_in_q 1 p1) n_in_q two_in_q
      (fun i j hi hj other => pair_small 0 i j ltac:(lia) p0 hi hj other)
        (fun i j hi hj other => pair_small 1 i j ltac:(lia) p1 hi hj other)
      better (better_is_plus p0 p1)).
    destruct (cells_found judges trios delta (m 0) (m 1) (alone 0) (alone 1) (together 0) (together 1) (three_of 0)
      (three_of 1)
      n one two three low (asked_in_q 0 p0) (asked_in_q 1 p1) n_in_q (rate_low 0) (rate_low 1) (together_self 0)
        (together_self 1)
      one_in_q two_in_q three_in_q
      (fun i j hi hj other => pair_small 0 i j ltac:(lia) p0 hi hj other)
        (fun i j hi hj other => pair_small 1 i j ltac:(lia) p1 hi hj other)
      (fun yes i j k ij jk hk => trio_small yes 0 i j k ltac:(lia) p0 ij jk hk)
        (fun yes i j k ij jk hk => trio_small yes 1 i j k ltac:(lia) p1 ij jk hk)
      (asked 0 test) (Qeq_refl _) cuts covered) as [c [there h]].
    exists c. split; [| exact h]. apply in_or_app. right. apply in_flat_map. eexists. split; [exact signs | exact there].
  Qed.
End Key.

(** Conditions fail in a cell if the most that they can be there is negative. *)
Lemma on_no_label : forall l f votes test, test_of 2 votes test -> (2 <= l)%nat -> on l f test = 0%Z.
Proof.
  intros l f votes test of_votes far. apply total_zero. intros q there. assert (h := proj2 of_votes q there).
  rewrite (proj2 (Nat.eqb_neq (truth q) l)) by lia. unfold indicator. lia.
Qed.
Lemma second_answers : forall judges votes test l i, test_of 2 votes test -> two_answers judges votes = true ->
  (i < judges)%nat ->
  on l (gave i 1) test = (asked l test - r l test i)%Z.
Proof.
  intros judges votes test l i of_votes known hi. unfold asked, r. rewrite questions_on.
  assert (e : (on l (gave i 1) test + on l (gave i 0) test = on l (fun _ => 1) test)%Z); [| lia].
  unfold on. rewrite <- total_plus. apply total_same. intros q there.
  assert (seen := answers_are_seen 2 votes test of_votes q there). unfold patterns in seen.
  apply nodup_In, in_map_iff in seen.
  destruct seen as [v [e v_there]]. unfold two_answers in known. rewrite forallb_forall in known.
  specialize (known v v_there).
  cbv beta in known. rewrite forallb_forall in known.
  assert (h : (nth i (answers q) O < 2)%nat) by (rewrite <- e; apply Nat.ltb_lt, known, in_seq; lia). unfold gave, indicator.
  destruct (nth i (answers q) O) as [| [| x]]; simpl; [| | lia]; destruct (Nat.eqb (truth q) l); lia.
Qed.
Lemma largest_holds : forall w part whole e, between part whole e -> 0 <= whole -> w * part <= whole * largest_of w e.
Proof.
  intros w part whole [a c] [ha hc] pw. simpl in ha, hc. unfold largest_of. simpl.
  assert (l := Q.le_max_l (w * a) (w * c)). assert (u := Q.le_max_r (w * a) (w * c)). set (x := Qmax (w * a) (w * c)) in *.
  assert (0 <= whole * (x - w * a)) by (apply Qmult_le_0_compat; lra).
  assert (0 <= whole * (x - w * c)) by (apply Qmult_le_0_compat; lra).
  destruct (Qlt_le_dec w 0) as [h | h].
  - assert (0 <= - w * (part - a * whole)) by (apply Qmult_le_0_compat; lra). lra.
  - assert (0 <= w * (c * whole - part)) by (apply Qmult_le_0_compat; lra). lra.
Qed.

Section Conditions.
  Variables (judges : nat) (votes : counted) (test : list question) (c : cell).
  Hypothesis of_votes : test_of 2 votes test.
  Hypothesis known : two_answers judges votes = true.
  Let m (l : nat) : Q := inject_Z (asked l test).
  Hypothesis there : in_cell judges (m 0) (m 1) (fun i => inject_Z (r 0 test i)) (fun i => inject_Z (r 1 test i)) c.
  Hypothesis some : 0 < m 0 + m 1.

  Lemma m_low : forall l, 0 <= m l.
  Proof. intro l. unfold m. change 0 with (inject_Z 0). rewrite <- Zle_Qle. apply asked_low. Qed.

  Lemma gave_between : forall l i r, (l < 2)%nat ->
    between (inject_Z (on l (gave i r) test)) (m l)
      (let e := (if Nat.eqb l 0 then fst else snd) (nth i (snd c) ((0, 1), (0, 1))) in
       match r with 0%nat => e | 1%nat => (1 - snd e, 1 - fst e) | _ => (0, 1) end).
  Proof.
    intros l i r' label.
    assert (any : between (inject_Z (on l (gave i r') test)) (m l) (0, 1)).
    { assert (a : (0 <= on l (gave i r') test)%Z) by (rewrite <- (on_zero l test); apply on_le; intro; apply gave_within).
      assert (b : (on l (gave i r') test <= asked l test)%Z)
        by (unfold asked; rewrite questions_on; apply on_le; intro; apply gave_within).
      unfold between, m. simpl. rewrite Zle_Qle in a, b. change (inject_Z 0) with 0 in a. lra. }
    destruct (le_lt_dec judges i) as [far | hi].
    { rewrite nth_overflow by (rewrite (proj1 (proj2 there)); exact far).
    destruct r' as [| [| x]]; destruct (Nat.eqb l 0); try exact any;
        unfold between in *; cbn [fst snd] in *; lra. }
    assert (e : between (inject_Z (WholeSound.r l test i)) (m l) ((if Nat.eqb l 0 then fst else snd) (nth i (snd c)
      ((0, 1), (0, 1))))).
    { destruct (proj2 (proj2 there) i hi) as [x y]. destruct l as [| [| l]]; [exact x | exact y | lia]. }
    destruct r' as [| [| x]]; cbv zeta; [exact e | | exact any].
    rewrite (second_answers judges votes test l i of_votes known hi). unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp.
    fold (m l).
    unfold between in *. cbn [fst snd] in *. lra.
  Qed.

  Lemma term_most : forall x, inject_Z (amount x test) <= m 0 * most_of 0 (snd c) x + m 1 * most_of 1 (snd c) x.
  Proof.
    assert (parts : forall o v (f : nat -> Q), ((o < 2)%nat -> v <= m o * f o) -> ((2 <= o)%nat -> v <= 0) ->
      v <= m 0 * (if Nat.eqb o 0 then f 0%nat else 0) + m 1 * (if Nat.eqb o 1 then f 1%nat else 0)).
    { intros o v f h k.
    destruct o as [| [| o]]; cbn [Nat.eqb];
      [specialize (h ltac:(lia)) | specialize (h ltac:(lia)) | specialize (k ltac:(lia))]; lra. }
    intros [w o | w o i r']; cbn [amount most_of].
    - apply (parts o _ (fun _ => inject_Z w)); intro h; rewrite inject_Z_mult.
      + unfold m, asked. lra.
      + rewrite questions_on, (on_no_label o _ votes test of_votes h). change (inject_Z 0) with 0. lra.
    - apply (parts o _ (fun l => largest_of (inject_Z w) (let e := (if Nat.eqb l 0 then fst else snd) (nth i (snd c)
      ((0, 1), (0, 1))) in
        match r' with 0%nat => e | 1%nat => (1 - snd e, 1 - fst e) | _ => (0, 1) end))); intro h; rewrite inject_Z_mult.
      + apply largest_holds; [apply gave_between; exact h | apply m_low].
      + rewrite (on_no_label o _ votes test of_votes h). change (inject_Z 0) with 0. lra.
  Qed.

  Lemma terms_most : forall condition, inject_Z (total (fun x => amount x test) condition) <=
    m 0 * fold_right (fun t rest => most_of 0 (snd c) t + rest) 0 condition
    + m 1 * fold_right (fun t rest => most_of 1 (snd c) t + rest) 0 condition.
  Proof.
    unfold total. induction condition as [| x condition step]; cbn [fold_right]; [change (inject_Z 0) with 0; lra |].
    rewrite inject_Z_plus. assert (k := term_most x). lra.
  Qed.

  Lemma not_outside : forall conditions, (forall x, In x conditions -> meets test x) -> outside conditions c = false.
  Proof.
    intros conditions met. destruct (outside conditions c) eqn:e; [exfalso | reflexivity]. unfold outside in e.
    apply existsb_exists in e. destruct e as [condition [is_one e]]. apply negb_true_iff, at_most_false in e.
    assert (h := met condition is_one). unfold meets in h. rewrite Zle_Qle in h. change (inject_Z 0) with 0 in h.
    set (sums := fun l => fold_right (fun t rest => most_of l (snd c) t + rest) 0 condition).
    assert (most : inject_Z (total (fun x => amount x test) condition) <= m 0 * sums 0%nat + m 1 * sums 1%nat).
    { apply terms_most. }
    destruct (proj1 there) as [from to]. unfold most_in in e. fold (sums 0%nat) in e. fold (sums 1%nat) in e.
    set (a := fst (fst c)) in *. set (b := snd (fst c)) in *.
    assert (l := Q.le_max_l (a * sums 0%nat + (1 - a) * sums 1%nat) (b * sums 0%nat + (1 - b) * sums 1%nat)).
    assert (u := Q.le_max_r (a * sums 0%nat + (1 - a) * sums 1%nat) (b * sums 0%nat + (1 - b) * sums 1%nat)).
    set (x := Qmax _ _) in *. set (y0 := sums 0%nat) in *. set (y1 := sums 1%nat) in *.
    assert (na : 0 < (m 0 + m 1) * - (a * y0 + (1 - a) * y1)) by (apply Qmult_lt_0_compat; lra).
    assert (nb : 0 < (m 0 + m 1) * - (b * y0 + (1 - b) * y1)) by (apply Qmult_lt_0_compat; lra).
    destruct (Qlt_le_dec y0 y1) as [z | z].
    - assert (0 <= (m 0 - a * (m 0 + m 1)) * (y1 - y0)) by (apply Qmult_le_0_compat; lra). lra.
    - assert (0 <= (b * (m 0 + m 1) - m 0) * (y0 - y1)) by (apply Qmult_le_0_compat; lra). lra.
  Qed.
End Conditions.

(** Every key of two labels that is within the budget, with the named judges no worse than chance, is in one of these
    cells: its share of the label 0 and its rates are in their ranges. *)
Theorem product_cells_hold : forall judges trios delta better cuts votes test,
  (0 < total snd votes)%Z -> 0 <= delta -> cover (total snd votes) cuts = true ->
  test_of 2 votes test -> within 2 judges true trios delta test ->
  (forall i, In i better -> no_worse_than_chance 2 votes test i) ->
  exists c, In c (product_cells judges trios delta better cuts votes) /\
    in_cell judges (inject_Z (questions_of 0 test)) (inject_Z (questions_of 1 test))
      (fun i => inject_Z (on 0 (gave i 0) test)) (fun i => inject_Z (on 1 (gave i 0) test)) c.
Proof.
  intros judges trios delta better cuts votes test some low covered of_votes in_budget all_better. unfold product_cells.
  assert (at_place : forall {X} (f : nat -> X) i d, (i < judges)%nat -> nth i (map f (seq 0 judges)) d = f i).
  { intros X f i d h. rewrite (nth_indep _ d (f O)) by (rewrite map_length, seq_length; exact h).
    rewrite map_nth, seq_nth by exact h. reflexivity. }
  apply (all_cells_found judges trios delta better votes test of_votes in_budget all_better some low); try exact covered.
  - intros i hi. rewrite at_place by exact hi. reflexivity.
  - intros i j hi hj. rewrite !at_place by assumption. reflexivity.
  - intros i j k hi hj hk. rewrite !at_place by assumption. reflexivity.
Qed.

(** Whether the conditions fail in every one of these cells. *)
Definition nowhere (judges : nat) (delta : Q) (cuts : list Z) (conditions : list (list term)) (votes : counted)
  (cells : list cell) : bool :=
  (0 <? total snd votes)%Z && Qle_bool 0 delta && cover (total snd votes) cuts && two_answers judges votes
  && forallb (outside conditions) cells.

(** Two labels: if the conditions fail in every cell, no key of these votes is within the budget, has the named judges no
    worse than chance, and meets them. *)
Theorem products_sound : forall judges trios delta better cuts conditions votes cells,
  product_cells judges trios delta better cuts votes = cells -> nowhere judges delta cuts conditions votes cells = true ->
  ~ exists test, test_of 2 votes test /\ within 2 judges true trios delta test /\
      (forall i, In i better -> no_worse_than_chance 2 votes test i) /\ (forall c, In c conditions -> meets test c).
Proof.
  intros judges trios delta better cuts conditions votes cells same holds [test [of_votes [in_budget [all_better all_met]]]].
  unfold nowhere in holds. rewrite !andb_true_iff, Z.ltb_lt, Qle_bool_iff, forallb_forall in holds.
  destruct holds as [[[[some low] covered] known] none].
  destruct (product_cells_hold judges trios delta better cuts votes test some low covered of_votes in_budget all_better)
    as [c [there h]].
  rewrite same in there. specialize (none c there).
  rewrite (not_outside judges votes test c of_votes known h) in none; [discriminate | | exact all_met].
  rewrite <- inject_Z_plus. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt, <- (sizes votes test of_votes). exact some.
Qed.
