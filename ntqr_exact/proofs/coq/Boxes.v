(** A checker of proofs that no key is within a budget of dependence and meets some conditions.

    A proof is a tree of boxes, which hold a range of every rate. A leaf adds up sums over the questions that no key in
    the box makes negative, none with a negative weight; if the most that any key gains by all of them is negative, no key of
    the budget is in the box. Rates and ranges are whole numbers of [unit * size]: all of them in one scale. *)

From Coq Require Import ZArith QArith Qabs List Lia Bool PeanoNat.
From NtqrExact Require Import Questions Budget.
Import ListNotations.
Open Scope Z_scope.

(** Label, judge and answer of a rate; a range; a box. *)
Definition place := (nat * nat * nat)%type.
Definition range := (Z * Z)%type.
Definition box := list (place * range).
Definition same_place (x y : place) : bool :=
  let '(l, i, r) := x in let '(o, j, s) := y in Nat.eqb l o && Nat.eqb i j && Nat.eqb r s.
Lemma same_place_iff : forall x y, same_place x y = true <-> x = y.
Proof.
  intros [[l i] r] [[o j] s]. unfold same_place. rewrite !andb_true_iff, !Nat.eqb_eq.
  split; [intros [[-> ->] ->]; reflexivity | intro e; inversion e; tauto].
Qed.

(** Sums that are not negative; of a pair at two ends of the ranges, of a trio with either sign. *)
Inductive sum_name :=
| Low (l i r : nat)
| High (l i r : nat)
| Pair (l i r j s : nat) (up_i up_j : bool)
| Trio (l i r j s k t : nat) (plus : bool)
| Condition (n : nat).
Inductive proof :=
| Leaf (weighted : list (Z * sum_name))
| Cut (l i r : nat) (at_most : Z) (below above : proof).

Fixpoint largest (first : Z) (others : list Z) : Z :=
  match others with [] => first | x :: rest => Z.max x (largest first rest) end.

Section Checker.
  Variables (labels judges : nat) (pairs trios : bool) (delta : Q) (unit : Z).
  Variables (better : list nat) (conditions : list (list term)) (votes : counted).
  Definition size := total snd votes.
  Definition scale := unit * size.
  (** The budget in this scale, rounded up. *)
  Definition room := - ((- (Qnum delta * scale)) / QDen delta).

  Fixpoint known (x : place) (b : box) : range :=
    match b with [] => (0, scale) | (y, r) :: rest => if same_place x y then r else known x rest end.
  Definition changed (x : place) (f : range -> range) (b : box) : box :=
    map (fun e => if same_place (fst e) x then (fst e, f (snd e)) else e) b.

  (** Not all rates of an answer lie on one side of its rate on all questions. *)
  Definition tight (b : box) (e : place * range) : place * range :=
    let '((l, i, r), (low, high)) := e in
    let mean := unit * given i r votes in
    let others := map (fun o => known (o, i, r) b) (filter (fun o => negb (Nat.eqb o l)) (seq 0 labels)) in
    ((l, i, r), (if forallb (fun o => snd o <=? mean) others then Z.max low mean else low,
                 if forallb (fun o => mean <=? fst o) others then Z.min high mean else high)).
  Definition tightened (b : box) : box := map (tight b) b.

  Definition places : list place :=
    list_prod (list_prod (seq 0 labels) (seq 0 judges)) (named labels).
  Definition root : box :=
    tightened (fold_right (fun e b => changed (snd e, fst e, snd e)
                 (fun r => (Z.max (fst r) (unit * given (fst e) (snd e) votes), snd r)) b)
               (map (fun x => (x, (0, scale))) places) (list_prod better (named labels))).

  Definition end_of (up : bool) (r : range) : Z := if up then snd r else fst r.
  Definition is_named (r : nat) : bool := existsb (Nat.eqb r) (named labels).
  Definition allowed (x : sum_name) : bool :=
    match x with
    | Low _ _ _ | High _ _ _ | Condition _ => true
    | Pair l i r j s _ _ => pairs && Nat.ltb l labels && Nat.ltb i j && Nat.ltb j judges && is_named r && is_named s
    | Trio l i r j s k t _ => trios && Nat.ltb l labels && Nat.ltb i j && Nat.ltb j k && Nat.ltb k judges
        && is_named r && is_named s && is_named t
    end.
  (** What a question of label o adds, to which the answers p were given; all sums are 8 * scale^3 times as large. *)
  Definition adds (b : box) (x : sum_name) (o : nat) (p : pattern) : Z :=
    let of l z := if Nat.eqb o l then z else 0 in
    match x with
    | Low l i r => of l (8 * scale * scale * (scale * gave i r p - fst (known (l, i, r) b)))
    | High l i r => of l (8 * scale * scale * (snd (known (l, i, r) b) - scale * gave i r p))
    | Pair l i r j s up_i up_j =>
        let z := (scale * gave i r p - end_of up_i (known (l, i, r) b))
                 * (scale * gave j s p - end_of up_j (known (l, j, s) b)) in
        of l (8 * scale * (room * scale + (if eqb up_i up_j then z else - z)))
    | Trio l i r j s k t plus =>
        let x := known (l, i, r) b in let y := known (l, j, s) b in let z := known (l, k, t) b in
        let wide e := snd e - fst e in
        let pair := if pairs then 4 * scale * room else scale * scale in
        let w := (2 * scale * gave i r p - (fst x + snd x)) * (2 * scale * gave j s p - (fst y + snd y))
                 * (2 * scale * gave k t p - (fst z + snd z)) in
        of l (8 * scale * scale * room + pair * (wide x + wide y + wide z) + wide x * wide y * wide z
              + (if plus then w else - w))
    | Condition n =>
        8 * scale * scale * scale * total (fun c => match c with
          | Asked w l => of l w
          | Gave w l i r => of l (w * gave i r p) end) (nth n conditions [])
    end.

  Definition gained (b : box) (weighted : list (Z * sum_name)) (o : nat) (p : pattern) : Z :=
    total (fun e => fst e * adds b (snd e) o p) weighted.
  Definition most (b : box) (weighted : list (Z * sum_name)) : Z :=
    total (fun v => snd v * largest (gained b weighted 0 (fst v))
                      (map (fun o => gained b weighted o (fst v)) (seq 0 labels))) votes.

  Fixpoint refutes (b : box) (tree : proof) : bool :=
    match tree with
    | Leaf weighted => forallb (fun e => (0 <=? fst e) && allowed (snd e)) weighted && (most b weighted <? 0)
    | Cut l i r at_most below above =>
        refutes (tightened (changed (l, i, r) (fun e => (fst e, at_most)) b)) below &&
        refutes (tightened (changed (l, i, r) (fun e => (at_most, snd e)) b)) above
    end.
  Definition excludes (tree : proof) : bool :=
    (0 <? size) && (0 <? unit) && (0 <=? Qnum delta) && refutes root tree.

  Section Sound.
    Variable test : list question.
    Hypothesis of_votes : test_of labels votes test.
    Hypothesis in_budget : within labels judges pairs trios delta test.
    Hypothesis all_better : forall i, In i better -> no_worse_than_chance labels votes test i.
    Hypothesis all_met : forall c, In c conditions -> meets test c.
    Hypothesis some : 0 < size.
    Hypothesis unit_positive : 0 < unit.
    Hypothesis budget_low : 0 <= Qnum delta.
    Let m l := questions_of l test.

    Lemma scale_positive : 0 < scale.
    Proof. unfold scale. apply Z.mul_pos_pos; assumption. Qed.
    Lemma low : forall l, 0 <= m l.
    Proof. intro l. apply count_low. Qed.
    Lemma room_holds : Qnum delta * scale <= room * QDen delta.
    Proof.
      unfold room. assert (h := Z.mul_div_le (- (Qnum delta * scale)) (QDen delta) ltac:(lia)). lia.
    Qed.
    Lemma room_low : 0 <= room.
    Proof. assert (h := room_holds). assert (s := scale_positive). nia. Qed.

    (** The rates of the test are in the box. *)
    Definition rated (x : place) (e : range) : Prop := let '(l, i, r) := x in
      fst e * m l <= scale * on l (gave i r) test <= snd e * m l.
    Definition fits (b : box) : Prop := forall x e, In (x, e) b -> rated x e.

    Lemma on_within : forall l i r, 0 <= on l (gave i r) test <= m l.
    Proof.
      intros l i r. split.
      - rewrite <- (on_zero l test). apply on_le. intro p. apply gave_within.
      - unfold m. rewrite questions_on. apply on_le. intro p. apply gave_within.
    Qed.

    Lemma known_holds : forall b x, fits b -> rated x (known x b).
    Proof.
      intros b x fit. induction b as [| [y e] rest step]; cbn [known].
      - destruct x as [[l i] r]. assert (h := on_within l i r). assert (s := scale_positive). simpl. nia.
      - destruct (same_place x y) eqn:same.
        + apply same_place_iff in same. subst y. exact (fit _ _ (or_introl eq_refl)).
        + apply step. intros z d there. apply fit. right. exact there.
    Qed.

    Lemma changed_holds : forall x f b, fits b -> (forall e, rated x e -> rated x (f e)) -> fits (changed x f b).
    Proof.
      intros x f b fit holds y e there. unfold changed in there. apply in_map_iff in there.
      destruct there as [[z d] [same there]]. cbn [fst] in same.
      destruct (same_place z x) eqn:is; inversion same; subst.
      - apply same_place_iff in is. subst y. apply holds. exact (fit _ _ there).
      - exact (fit _ _ there).
    Qed.

    Lemma without : forall (f : nat -> Z) l ls, NoDup ls -> In l ls ->
      total f ls = f l + total f (filter (fun o => negb (Nat.eqb o l)) ls).
    Proof.
      intros f l ls. induction ls as [| o ls step]; intros different there; [contradiction |].
      inversion different as [| ? ? fresh rest]; subst. simpl. destruct (Nat.eqb_spec o l) as [e | e].
      - subst o. simpl. f_equal. clear step there different rest. induction ls as [| p ls step]; [reflexivity |].
        simpl. destruct (Nat.eqb_spec p l) as [e | e]; [subst; exfalso; apply fresh; left; reflexivity |].
        simpl. rewrite <- step; [reflexivity |]. intro h. apply fresh. right. exact h.
      - simpl. destruct there as [h | h]; [congruence |]. rewrite (step rest h). lia.
    Qed.

    Lemma tight_holds : forall b e, fits b -> (let '((l, _, _), _) := e in (l < labels)%nat) -> In e b ->
      rated (fst (tight b e)) (snd (tight b e)).
    Proof.
      intros b [[[l i] r] [lo hi]] fit is_label there. simpl.
      assert (here := fit _ _ there). unfold rated in *. simpl in here.
      set (others := filter (fun o => negb (Nat.eqb o l)) (seq 0 labels)).
      assert (counts := by_labels labels votes test of_votes (gave i r)).
      assert (sizes := by_labels labels votes test of_votes (fun _ => 1)).
      rewrite (without _ l) in counts by (try apply seq_NoDup; apply in_seq; lia).
      rewrite (without _ l) in sizes by (try apply seq_NoDup; apply in_seq; lia).
      fold others in counts, sizes. fold (given i r votes) in counts.
      replace (total (fun v : pattern * Z => snd v * 1) votes) with size in sizes
        by (apply total_same; intros; lia).
      rewrite <- questions_on in sizes. fold (m l) in sizes.
      set (mean := unit * given i r votes). unfold scale in *.
      assert (mixed : unit * size * on l (gave i r) test - mean * m l
        = total (fun o => mean * on o (fun _ => 1) test - unit * size * on o (gave i r) test) others).
      { unfold Z.sub. rewrite total_plus, total_times.
        rewrite (total_same (fun o => - (unit * size * on o (gave i r) test)) (fun o => (- (unit * size)) * on o (gave i r) test))
          by (intros; lia).
        rewrite total_times. unfold mean. nia. }
      assert (zero : total (fun _ : nat => 0) others = 0) by (apply total_zero; reflexivity).
      split; cbn [fst snd].
      - destruct (forallb _ (map _ others)) eqn:all; [| lia].
        apply Z.max_case; [lia |]. assert (0 <= unit * size * on l (gave i r) test - mean * m l); [| lia].
        rewrite mixed, <- zero. apply total_le. intros o among. rewrite forallb_forall in all.
        assert (k := known_holds b (o, i, r) fit). unfold rated, scale in k.
        specialize (all _ (in_map _ _ _ among)). simpl in all. apply Z.leb_le in all.
        rewrite <- questions_on. fold (m o). assert (lw := low o). unfold mean in *. nia.
      - destruct (forallb _ (map _ others)) eqn:all; [| lia].
        apply Z.min_case; [lia |]. assert (unit * size * on l (gave i r) test - mean * m l <= 0); [| lia].
        rewrite mixed, <- zero. apply total_le. intros o among. rewrite forallb_forall in all.
        assert (k := known_holds b (o, i, r) fit). unfold rated, scale in k.
        specialize (all _ (in_map _ _ _ among)). simpl in all. apply Z.leb_le in all.
        rewrite <- questions_on. fold (m o). assert (lw := low o). unfold mean in *. nia.
    Qed.

    (** All places of a box name labels. *)
    Definition labelled (b : box) : Prop := forall l i r e, In ((l, i, r), e) b -> (l < labels)%nat.
    Lemma changed_labelled : forall x f b, labelled b -> labelled (changed x f b).
    Proof.
      intros x f b h l i r e there. unfold changed in there. apply in_map_iff in there.
      destruct there as [[z d] [same there]]. cbn [fst] in same.
      destruct (same_place z x); inversion same; subst; exact (h _ _ _ _ there).
    Qed.
    Lemma tightened_holds : forall b, labelled b -> fits b -> labelled (tightened b) /\ fits (tightened b).
    Proof.
      intros b h fit. split.
      - intros l i r e there. apply in_map_iff in there. destruct there as [[[[o j] s] [lo hi]] [same there]].
        simpl in same. inversion same; subst. exact (h _ _ _ _ there).
      - intros x e there. apply in_map_iff in there. destruct there as [[[[o j] s] d] [same there]].
        assert (k := tight_holds b ((o, j, s), d) fit (h _ _ _ _ there) there).
        change (rated (fst (x, e)) (snd (x, e))). rewrite <- same. exact k.
    Qed.

    Lemma root_holds : labelled root /\ fits root.
    Proof.
      unfold root. apply tightened_holds.
      - induction (list_prod better (named labels)) as [| e es step]; simpl; [| apply changed_labelled; exact step].
        intros l i r e there. apply in_map_iff in there. destruct there as [x [same there]]. inversion same; subst.
        unfold places in there. apply in_prod_iff in there. destruct there as [there _].
        apply in_prod_iff in there. destruct there as [there _]. apply in_seq in there. lia.
      - assert (named_better : forall e, In e (list_prod better (named labels)) ->
          In (fst e) better /\ In (snd e) (named labels)) by (intros [i r] h; apply in_prod_iff in h; exact h).
        induction (list_prod better (named labels)) as [| [i r] es step]; simpl.
        + intros x e there. apply in_map_iff in there. destruct there as [y [same _]]. inversion same; subst.
          exact (known_holds [] x (fun _ _ h => match h with end)).
        + apply changed_holds; [apply step; intros e h; apply named_better; right; exact h |].
          intros e h. destruct (named_better (i, r) (or_introl eq_refl)) as [judge answer]. simpl in judge, answer.
          unfold rated in *. simpl. split; [| lia]. apply Z.max_case; [lia |].
          destruct (Z.eq_dec (m r) 0) as [none | n].
          { unfold m in *. rewrite (on_empty r _ test none), none. lia. }
          assert (positive : 0 < m r) by (assert (k := low r); lia).
          assert (k := all_better i judge r answer positive).
          rewrite (rate_is r test) in k. unfold share in k. fold size in k. fold (m r) in k.
          unfold Qle, Qdiv, Qmult, Qinv, inject_Z in k. unfold scale.
          destruct size as [| z |] eqn:es'; try lia. destruct (m r) as [| y |] eqn:em; try lia.
          simpl in k. rewrite !Z.mul_1_r in k. nia.
    Qed.

    (** Every sum that a leaf may name is not negative. *)
    Lemma on_label : forall l f, total (fun q => if Nat.eqb (truth q) l then f (answers q) else 0) test = on l f test.
    Proof. intros. apply total_same. intros q _. unfold indicator. destruct (Nat.eqb (truth q) l); lia. Qed.

    Lemma is_named_iff : forall r, is_named r = true -> In r (named labels).
    Proof.
      intros r h. apply existsb_exists in h. destruct h as [s [there e]]. apply Nat.eqb_eq in e. subst. exact there.
    Qed.

    Lemma pair_small : forall l i r j s, pairs = true -> (l < labels)%nat -> (i < j < judges)%nat ->
      In r (named labels) -> In s (named labels) -> 0 < m l ->
      scale * Z.abs (pair_moment l test i r j s) <= room * (m l * m l).
    Proof.
      intros l i r j s two is_label order nr ns positive.
      assert (h := pair_in_z l test positive i r j s delta (proj1 in_budget two l i r j s is_label order nr ns)).
      fold (m l) in h. assert (k := room_holds). assert (sp := scale_positive).
      set (x := Z.abs _) in *. set (n := m l * m l) in *. assert (0 <= n) by nia.
      apply (Z.mul_le_mono_pos_l _ _ (QDen delta)); [lia |]. nia.
    Qed.

    Lemma trio_small : forall l i r j s k t, trios = true -> (l < labels)%nat -> (i < j)%nat -> (j < k < judges)%nat ->
      In r (named labels) -> In s (named labels) -> In t (named labels) -> 0 < m l ->
      scale * Z.abs (trio_moment l test i r j s k t) <= room * (m l * m l * m l).
    Proof.
      intros l i r j s k t three is_label order order' nr ns nt positive.
      assert (h := trio_in_z l test positive i r j s k t delta
        (proj2 in_budget three l i r j s k t is_label order order' nr ns nt)).
      fold (m l) in h. assert (e := room_holds). assert (sp := scale_positive).
      set (x := Z.abs _) in *. set (n := m l * m l * m l) in *. assert (0 <= n) by (unfold n; nia).
      apply (Z.mul_le_mono_pos_l _ _ (QDen delta)); [lia |]. nia.
    Qed.

    Lemma times_small : forall x y p q, Z.abs x <= p -> Z.abs y <= q -> Z.abs (x * y) <= p * q.
    Proof. intros x y p q hx hy. rewrite Z.abs_mul. apply Z.mul_le_mono_nonneg; lia. Qed.

    Lemma five_small : forall x1 x2 x3 x4 x5 y1 y2 y3 y4 y5, Z.abs x1 <= y1 -> Z.abs x2 <= y2 -> Z.abs x3 <= y3 ->
      Z.abs x4 <= y4 -> Z.abs x5 <= y5 -> Z.abs (x1 + x2 + x3 + x4 + x5) <= y1 + y2 + y3 + y4 + y5.
    Proof. lia. Qed.

    Lemma adds_low : forall b x, fits b -> allowed x = true ->
      0 <= total (fun q => adds b x (truth q) (answers q)) test.
    Proof.
      intros b x fit holds. assert (sp := scale_positive). assert (rp := room_low).
      destruct x as [l i r | l i r | l i r j s up_i up_j | l i r j s k t plus | n]; cbn [adds].
      - assert (k := known_holds b (l, i, r) fit). unfold rated in k. set (lo := fst (known (l, i, r) b)) in *.
        rewrite (on_label l (fun p => 8 * scale * scale * (scale * gave i r p - lo))).
        rewrite (on_same _ _ (fun p => - (8 * scale * scale * lo) + 8 * scale * scale * scale * gave i r p))
          by (intro; ring).
        rewrite affine_sum. fold (m l). nia.
      - assert (k := known_holds b (l, i, r) fit). unfold rated in k. set (hi := snd (known (l, i, r) b)) in *.
        rewrite (on_label l (fun p => 8 * scale * scale * (hi - scale * gave i r p))).
        rewrite (on_same _ _ (fun p => 8 * scale * scale * hi + - (8 * scale * scale * scale) * gave i r p))
          by (intro; ring).
        rewrite affine_sum. fold (m l). nia.
      - cbn [allowed] in holds. rewrite !andb_true_iff, !Nat.ltb_lt in holds.
        destruct holds as [[[[[two is_label] ij] jn] nr] ns]. apply is_named_iff in nr, ns.
        assert (ki := known_holds b (l, i, r) fit). assert (kj := known_holds b (l, j, s) fit). unfold rated in ki, kj.
        set (u := end_of up_i (known (l, i, r) b)). set (v := end_of up_j (known (l, j, s) b)).
        set (z := fun p => (scale * gave i r p - u) * (scale * gave j s p - v)).
        change (0 <= total (fun q => if Nat.eqb (truth q) l then
          (fun p => 8 * scale * (room * scale + (if eqb up_i up_j then z p else - z p))) (answers q) else 0) test).
        rewrite on_label.
        rewrite (on_same _ _ (fun p => 8 * scale * (room * scale) + (8 * scale * (if eqb up_i up_j then 1 else -1)) * z p))
          by (intro; destruct (eqb up_i up_j); ring).
        rewrite affine_sum. fold (m l).
        destruct (Z.eq_dec (m l) 0) as [none | some_here].
        { rewrite (on_empty l z test none), none. lia. }
        assert (positive : 0 < m l) by (assert (k := low l); lia).
        assert (small := pair_small l i r j s two is_label (conj ij jn) nr ns positive).
        assert (e : m l * on l z test = scale * scale * pair_moment l test i r j s
          + (scale * on l (gave i r) test - u * m l) * (scale * on l (gave j s) test - v * m l)).
        { unfold z. rewrite pair_sum, <- questions_on. unfold pair_moment. fold (m l). ring. }
        assert (parts : 0 <= (if eqb up_i up_j then 1 else -1)
          * ((scale * on l (gave i r) test - u * m l) * (scale * on l (gave j s) test - v * m l))).
        { unfold u, v, end_of. destruct up_i, up_j; cbn [eqb]; nia. }
        set (sg := if eqb up_i up_j then 1 else -1) in *.
        assert (sign : sg = 1 \/ sg = -1) by (unfold sg; destruct (eqb up_i up_j); tauto).
        assert (0 <= m l * (room * scale * m l + sg * on l z test)); [| nia].
        replace (m l * (room * scale * m l + sg * on l z test))
          with (room * scale * (m l * m l) + sg * (m l * on l z test)) by ring.
        rewrite e. set (rest := (_ - _) * (_ - _)) in *. set (pm := pair_moment l test i r j s) in *.
        assert (scale * (scale * Z.abs pm) <= scale * (room * (m l * m l))) by (apply Z.mul_le_mono_nonneg_l; lia).
        assert (- (scale * (scale * Z.abs pm)) <= sg * (scale * scale * pm)) by (destruct sign as [-> | ->]; nia).
        lia.
      - cbn [allowed] in holds. rewrite !andb_true_iff, !Nat.ltb_lt in holds.
        destruct holds as [[[[[[[three is_label] ij] jk] kn] nr] ns] nt]. apply is_named_iff in nr, ns, nt.
        assert (ki := known_holds b (l, i, r) fit). assert (kj := known_holds b (l, j, s) fit).
        assert (kk := known_holds b (l, k, t) fit). unfold rated in ki, kj, kk.
        set (x := known (l, i, r) b) in *. set (y := known (l, j, s) b) in *. set (w := known (l, k, t) b) in *.
        set (pair := if pairs then 4 * scale * room else scale * scale).
        set (z := fun p => (2 * scale * gave i r p - (fst x + snd x)) * (2 * scale * gave j s p - (fst y + snd y))
                           * (2 * scale * gave k t p - (fst w + snd w))).
        set (slack := 8 * scale * scale * room + pair * (snd x - fst x + (snd y - fst y) + (snd w - fst w))
                      + (snd x - fst x) * (snd y - fst y) * (snd w - fst w)).
        change (0 <= total (fun q => if Nat.eqb (truth q) l then
          (fun p => slack + (if plus then z p else - z p)) (answers q) else 0) test).
        rewrite on_label.
        rewrite (on_same _ _ (fun p => slack + (if plus then 1 else -1) * z p)) by (intro; destruct plus; ring).
        rewrite affine_sum. fold (m l).
        destruct (Z.eq_dec (m l) 0) as [none | some_here].
        { rewrite (on_empty l z test none), none. lia. }
        assert (positive : 0 < m l) by (assert (q := low l); lia).
        assert (small := trio_small l i r j s k t three is_label ij (conj jk kn) nr ns nt positive).
        set (n := m l) in *. set (a := on l (gave i r) test) in *. set (b' := on l (gave j s) test) in *.
        set (c := on l (gave k t) test) in *.
        assert (pairs_small : forall i' r' j' s', (i' < j' < judges)%nat -> In r' (named labels) -> In s' (named labels) ->
          Z.abs (4 * scale * scale * pair_moment l test i' r' j' s') <= pair * (n * n)).
        { intros i' r' j' s' order nr' ns'. rewrite Z.abs_mul, (Z.abs_eq (4 * scale * scale)) by nia.
          unfold pair. case_eq pairs; intro two.
          - assert (h := pair_small l i' r' j' s' two is_label order nr' ns' positive). fold n in h. nia.
          - assert (h := pair_quarter l test i' r' j' s'). fold (m l) in h. fold n in h. nia. }
        set (da := 2 * scale * a - (fst x + snd x) * n). set (db := 2 * scale * b' - (fst y + snd y) * n).
        set (dc := 2 * scale * c - (fst w + snd w) * n).
        assert (e : n * n * on l z test = 8 * scale * scale * scale * trio_moment l test i r j s k t
          + da * (4 * scale * scale * pair_moment l test j s k t) + db * (4 * scale * scale * pair_moment l test i r k t)
          + dc * (4 * scale * scale * pair_moment l test i r j s) + da * db * dc).
        { unfold z. rewrite trio_sum, <- questions_on. unfold pair_moment, trio_moment, da, db, dc.
          fold (m l). fold n. fold a. fold b'. fold c. ring. }
        assert (ha : Z.abs da <= (snd x - fst x) * n) by (unfold da; lia).
        assert (hb : Z.abs db <= (snd y - fst y) * n) by (unfold db; lia).
        assert (hc : Z.abs dc <= (snd w - fst w) * n) by (unfold dc; lia).
        assert (t1 := times_small _ _ _ _ ha (pairs_small j s k t ltac:(lia) ns nt)).
        assert (t2 := times_small _ _ _ _ hb (pairs_small i r k t ltac:(lia) nr nt)).
        assert (t3 := times_small _ _ _ _ hc (pairs_small i r j s ltac:(lia) nr ns)).
        assert (t4 := times_small _ _ _ _ (times_small _ _ _ _ ha hb) hc).
        assert (t5 : Z.abs (8 * scale * scale * scale * trio_moment l test i r j s k t)
          <= 8 * scale * scale * room * (n * n * n)).
        { rewrite Z.abs_mul, (Z.abs_eq (8 * scale * scale * scale)) by (repeat apply Z.mul_nonneg_nonneg; lia).
          replace (8 * scale * scale * scale * Z.abs (trio_moment l test i r j s k t))
            with (8 * scale * scale * (scale * Z.abs (trio_moment l test i r j s k t))) by ring.
          rewrite <- (Z.mul_assoc (8 * scale * scale) room). apply Z.mul_le_mono_nonneg_l; [| exact small].
          repeat apply Z.mul_nonneg_nonneg; lia. }
        assert (total_small : Z.abs (n * n * on l z test) <= slack * n * (n * n)).
        { rewrite e. unfold slack.
          replace ((8 * scale * scale * room + pair * (snd x - fst x + (snd y - fst y) + (snd w - fst w))
            + (snd x - fst x) * (snd y - fst y) * (snd w - fst w)) * n * (n * n))
            with (8 * scale * scale * room * (n * n * n) + (snd x - fst x) * n * (pair * (n * n))
              + (snd y - fst y) * n * (pair * (n * n)) + (snd w - fst w) * n * (pair * (n * n))
              + (snd x - fst x) * n * ((snd y - fst y) * n) * ((snd w - fst w) * n)) by ring.
          apply five_small; assumption. }
        rewrite Z.abs_mul, (Z.abs_eq (n * n)), (Z.mul_comm (n * n)) in total_small by (apply Z.square_nonneg).
        apply Z.mul_le_mono_pos_r in total_small; [| apply Z.mul_pos_pos; exact positive].
        clear - total_small. destruct plus; lia.
      - set (c := nth n conditions []).
        assert (met : meets test c).
        { unfold c. destruct (nth_in_or_default n conditions []) as [there | ->]; [apply all_met; exact there |].
          unfold meets. simpl. lia. }
        rewrite total_times. assert (0 <= total (fun q => total (fun d => match d with
          | Asked w l => if Nat.eqb (truth q) l then w else 0
          | Gave w l i r => if Nat.eqb (truth q) l then w * gave i r (answers q) else 0 end) c) test); [| nia].
        rewrite total_swap. unfold meets in met. etransitivity; [exact met |].
        apply Z.eq_le_incl, total_same. intros d _. destruct d as [w l | w l i r]; cbn [amount].
        + rewrite (on_label l (fun _ => w)). rewrite (on_same _ _ (fun _ => w + 0 * 0)) by (intro; ring).
          rewrite (affine_sum l w 0 (fun _ => 0)). ring.
        + rewrite (on_label l (fun p => w * gave i r p)).
          rewrite (on_same l (fun p => w * gave i r p) (fun p => 0 + w * gave i r p)) by (intro; ring). rewrite affine_sum. ring.
    Qed.

    Lemma largest_holds : forall first others x, In x others -> x <= largest first others.
    Proof.
      intros first others x. induction others as [| y rest step]; intro there; [contradiction |]. simpl.
      destruct there as [-> | there]; [apply Z.le_max_l |]. specialize (step there). lia.
    Qed.

    Lemma leaf_sound : forall b weighted, fits b ->
      forallb (fun e => (0 <=? fst e) && allowed (snd e)) weighted = true -> 0 <= most b weighted.
    Proof.
      intros b weighted fit holds. rewrite forallb_forall in holds.
      transitivity (total (fun q => gained b weighted (truth q) (answers q)) test).
      - unfold gained. rewrite total_swap. rewrite <- (total_zero (fun _ => 0) weighted) by reflexivity.
        apply total_le. intros e there. specialize (holds e there). apply andb_true_iff in holds.
        destruct holds as [positive is_allowed]. apply Z.leb_le in positive. rewrite total_times.
        apply Z.mul_nonneg_nonneg; [exact positive | apply adds_low; assumption].
      - unfold most. rewrite <- (total_by_votes labels votes test of_votes (fun p => largest (gained b weighted 0 p)
          (map (fun o => gained b weighted o p) (seq 0 labels)))).
        apply total_le. intros q there. apply largest_holds.
        apply (in_map (fun o => gained b weighted o (answers q))), in_seq. assert (h := proj2 of_votes q there). lia.
    Qed.

    Lemma refutes_sound : forall tree b, labelled b -> fits b -> refutes b tree = false.
    Proof.
      intro tree. induction tree as [weighted | l i r at_most below on_below above on_above]; intros b h fit; simpl.
      - destruct (forallb _ weighted) eqn:holds; [| reflexivity]. apply Z.ltb_ge. apply leaf_sound; assumption.
      - apply andb_false_iff. destruct (Z.le_ge_cases (scale * on l (gave i r) test) (at_most * m l)) as [k | k];
          [left; apply on_below | right; apply on_above]; apply tightened_holds;
          try (apply changed_labelled; exact h);
          (apply changed_holds; [exact fit |]); intros e rate_in; unfold rated in *; simpl; lia.
    Qed.
  End Sound.

  (** A proof that the checker accepts is right: no key of these votes is within the budget, has the named judges no
      worse than chance, and meets the conditions. *)
  Theorem excludes_sound : forall tree, excludes tree = true ->
    ~ exists test, test_of labels votes test /\ within labels judges pairs trios delta test /\
        (forall i, In i better -> no_worse_than_chance labels votes test i) /\
        (forall c, In c conditions -> meets test c).
  Proof.
    intros tree holds [test [of_votes [in_budget [all_better all_met]]]]. unfold excludes in holds.
    rewrite !andb_true_iff, !Z.ltb_lt, Z.leb_le in holds. destruct holds as [[[some positive] low_budget] refuted].
    destruct (root_holds test of_votes all_better some positive) as [labels_known fit].
    rewrite (refutes_sound test of_votes in_budget all_met some positive low_budget tree root labels_known fit) in refuted.
    discriminate.
  Qed.
End Checker.
