(** Logical alarms of any number of judges and labels: a checker of proofs that no key makes all judges safe.

    A specification gives each label a factor s/t: a judge is safe on a label without questions, and on others if
    s times its right answers exceed t times the questions. Over the whole test it must reach a grade. A proof is a tree
    of splits of whole numbers; in its leaves right answers are weighted, questions have prices, and the most that any
    key gains is less than the least that a safe key gains. *)

From Coq Require Import ZArith List Lia Bool PeanoNat.
From NtqrExact Require Import Questions.
From NtqrExact Require Export Ranges.
Import ListNotations.
Open Scope Z_scope.

Definition factor := (Z * Z)%type.

Definition safe (factors : list factor) (grade : Z * Z) (who : list nat) (test : list question) : Prop :=
  forall j, In j who ->
    (forall l, (l < length factors)%nat -> 0 < questions_of l test ->
       snd (nth l factors (1, 1)) * questions_of l test < fst (nth l factors (1, 1)) * right_answers j l test) /\
    fst grade * Z.of_nat (length test) <=
      snd grade * total (fun l => right_answers j l test) (seq 0 (length factors)).

(** Counts that a proof may split: questions of a label, right answers of a judge on it, questions of a label to which
    the judges of a group gave these answers. *)
Inductive quantity :=
| Questions (l : nat)
| Right (j l : nat)
| Among (group : list nat) (p : pattern) (l : nat).

Definition restricted (group : list nat) (p : pattern) : pattern := map (fun j => nth j p O) group.
Definition belongs (x : quantity) (q : question) : bool :=
  match x with
  | Questions l => Nat.eqb (truth q) l
  | Right j l => Nat.eqb (truth q) l && Nat.eqb (answer_of j q) l
  | Among group p l => Nat.eqb (truth q) l && same_pattern (restricted group (answers q)) p
  end.
Definition value (x : quantity) (test : list question) : Z := count (belongs x) test.

Definition quantity_eq_dec : forall x y : quantity, {x = y} + {x <> y}.
Proof. decide equality; try apply Nat.eq_dec; apply list_eq_dec; apply Nat.eq_dec. Defined.

(** A judge of a group with its weights by label, and its weight of a right answer anywhere. *)
Record member := Member { who_is : nat; weights : list Z; anywhere : Z }.
Record part := Part { members : list member; prices : list Z }.
Inductive proof :=
| Leaf (parts : list part)
| Split (x : quantity) (at_most : Z) (below above : proof).

Definition group_of (g : part) : list nat := map who_is (members g).
(** What a question of label l gains, to which the group gave the answers p. *)
Definition gain (g : part) (p : pattern) (l : nat) : Z :=
  total (fun am => indicator (Nat.eqb (fst am) l) * (nth l (weights (snd am)) 0 + anywhere (snd am)))
    (combine p (members g)) - nth l (prices g) 0.

Section Checker.
  Variables (factors : list factor) (grade : Z * Z) (who : list nat) (votes : counted).
  Let labels := length factors.
  Definition size := total snd votes.
  Definition said (j l : nat) : Z := total (fun v => snd v * indicator (Nat.eqb (nth j (fst v) O) l)) votes.
  Definition often (group : list nat) (p : pattern) : Z :=
    total (fun v => snd v * indicator (same_pattern (restricted group (fst v)) p)) votes.

  Definition bounds := list (quantity * range).
  Definition widest (x : quantity) : range :=
    match x with Questions _ => (0, size) | Right j l => (0, said j l) | Among group p _ => (0, often group p) end.
  Fixpoint known (x : quantity) (b : bounds) : range :=
    match b with
    | [] => widest x
    | (y, r) :: rest => if quantity_eq_dec x y then r else known x rest
    end.

  (** Ranges of the questions of each label, tightened by their sum. *)
  Definition tightened (rs : list range) : list range := map (tight size (total fst rs) (total snd rs)) rs.

  (** The least right answers that are safe on q questions of a label. *)
  Definition least (f : factor) (q : Z) : Z := if q =? 0 then 0 else snd f * q / fst f + 1.
  Definition needed_of_member (b : bounds) (l : nat) (q : Z) (m : member) : Z :=
    let w := nth l (weights m) 0 in
    let r := known (Right (who_is m) l) b in
    if 0 <=? w then w * Z.max (least (nth l factors (1, 1)) q) (fst r) else w * snd r.
  Definition needed (parts : list part) (b : bounds) (l : nat) (q : Z) : Z :=
    total (fun g => total (needed_of_member b l q) (members g) - nth l (prices g) 0 * q) parts.

  Definition gains_of (g : part) (b : bounds) (p : pattern) : list (Z * range) :=
    map (fun l => (gain g p l, known (Among (group_of g) p l) b)) (seq 0 labels).
  Definition group_patterns (g : part) : list pattern :=
    nodup (list_eq_dec Nat.eq_dec) (map (fun v => restricted (group_of g) (fst v)) votes).
  Definition most (b : bounds) (g : part) : Z :=
    total (fun p => most_gained (often (group_of g) p) (gains_of g b p)) (group_patterns g).
  Definition crowded (b : bounds) (g : part) : bool :=
    existsb (fun p =>
      let n := often (group_of g) p in
      let rs := map snd (gains_of g b p) in (n <? total fst rs) || (total snd rs <? n)) (group_patterns g).

  Definition goal : Z := - ((- (fst grade * size)) / snd grade).
  Definition well_formed (g : part) : bool :=
    forallb (fun m => existsb (Nat.eqb (who_is m)) who && (0 <=? anywhere m)) (members g).
  Definition leaf_holds (rs : list range) (b : bounds) (parts : list part) : bool :=
    forallb well_formed parts &&
    (existsb (crowded b) parts ||
     (total (most b) parts <?
      total (fun e => least_in (needed parts b (fst e)) (snd e)) (combine (seq 0 labels) rs)
      + total (fun g => total (fun m => anywhere m * goal) (members g)) parts)).

  Fixpoint refutes (rs : list range) (b : bounds) (tree : proof) : bool :=
    existsb empty rs || existsb (fun e => empty (snd e)) b ||
    match tree with
    | Leaf parts => leaf_holds rs b parts
    | Split (Questions l) at_most below above =>
        refutes (tightened (update 0 l (fun r => (fst r, Z.min (snd r) at_most)) rs)) b below &&
        refutes (tightened (update 0 l (fun r => (Z.max (fst r) (at_most + 1), snd r)) rs)) b above
    | Split x at_most below above =>
        let r := known x b in
        refutes rs ((x, (fst r, Z.min (snd r) at_most)) :: b) below &&
        refutes rs ((x, (Z.max (fst r) (at_most + 1), snd r)) :: b) above
    end.

  (** To begin with: nobody is right on a label more often than it gave that answer. *)
  Definition cap (l j : nat) : Z := let f := nth l factors (1, 1) in Z.max 0 ((fst f * said j l - 1) / snd f).
  Definition first_range (l : nat) : range := (0, smallest size (map (cap l) who)).
  Definition limited (limits : list (nat * range)) (rs : list range) : list range :=
    fold_right (fun e rs => update 0 (fst e) (fun r => (Z.max (fst r) (fst (snd e)), Z.min (snd r) (snd (snd e)))) rs)
      rs limits.
  Definition root (limits : list (nat * range)) : list range :=
    tightened (limited limits (map first_range (seq 0 labels))).
  Definition proves (limits : list (nat * range)) (tree : proof) : bool :=
    (0 <? snd grade) && forallb (fun f => (0 <? fst f) && (0 <? snd f)) factors && refutes (root limits) [] tree.

  (** The alarm of single judges: already these ranges have no room for all questions. *)
  Definition single_alarm : bool :=
    forallb (fun f => (0 <? fst f) && (0 <? snd f)) factors &&
    (total (fun l => snd (first_range l)) (seq 0 labels) <? size).

  Section Sound.
    Variables (test : list question) (limits : list (nat * range)).
    Hypothesis of_votes : test_of labels votes test.
    Hypothesis limit : forall l r, In (l, r) limits -> inside (questions_of l test) r.
    Hypothesis all_safe : safe factors grade who test.
    Hypothesis factors_positive : forallb (fun f => (0 <? fst f) && (0 <? snd f)) factors = true.

    Let counts n k := map (fun l => questions_of l test) (seq n k).
    Definition fits (b : bounds) : Prop := forall x r, In (x, r) b -> inside (value x test) r.

    Lemma by_votes : forall h : pattern -> bool,
      count (fun q => h (answers q)) test = total (fun v => snd v * indicator (h (fst v))) votes.
    Proof. intro h. exact (total_by_votes labels votes test of_votes (fun p => indicator (h p))). Qed.

    Lemma size_is : size = Z.of_nat (length test).
    Proof.
      rewrite <- ones. rewrite (total_by_votes labels votes test of_votes (fun _ => 1)).
      apply total_same. intros. lia.
    Qed.

    Lemma said_is : forall j l, count (fun q => Nat.eqb (answer_of j q) l) test = said j l.
    Proof. intros j l. exact (by_votes (fun p => Nat.eqb (nth j p O) l)). Qed.

    Lemma often_is : forall group p, count (fun q => same_pattern (restricted group (answers q)) p) test = often group p.
    Proof. intros group p. exact (by_votes (fun a => same_pattern (restricted group a) p)). Qed.

    Lemma widest_holds : forall x, inside (value x test) (widest x).
    Proof.
      intro x. destruct x as [l | j l | group p l]; split; try apply count_low; simpl.
      - transitivity (count (fun _ : question => true) test); [apply count_le; reflexivity |].
        rewrite (by_votes (fun _ => true)). unfold size. apply Z.eq_le_incl, total_same. intros. unfold indicator. lia.
      - rewrite <- said_is. apply count_le. intro q. simpl. rewrite andb_true_iff. tauto.
      - rewrite <- often_is. apply count_le. intro q. simpl. rewrite andb_true_iff. tauto.
    Qed.

    Lemma known_holds : forall b x, fits b -> inside (value x test) (known x b).
    Proof.
      intros b x. induction b as [| [y r] rest step]; intro fit; simpl; [apply widest_holds |].
      destruct (quantity_eq_dec x y) as [e | _].
      - subst y. apply fit. left. reflexivity.
      - apply step. intros z s there. apply fit. right. exact there.
    Qed.

    (** Ranges of the labels. *)
    Lemma sum_of_counts : total (fun l => questions_of l test) (seq 0 labels) = size.
    Proof.
      assert (e := total_by_labels labels votes test of_votes (fun _ _ => 1)).
      transitivity (total (fun _ : question => 1) test).
      - rewrite e. apply total_same. intros l _. unfold questions_of, count. apply total_same. intros. lia.
      - rewrite size_is. apply ones.
    Qed.

    Lemma tightened_holds : forall rs, Forall2 inside (counts 0 labels) rs -> Forall2 inside (counts 0 labels) (tightened rs).
    Proof.
      intros rs fit. unfold tightened. apply tight_all; [exact fit | |];
        unfold counts; rewrite total_map, sum_of_counts; lia.
    Qed.

    Lemma update_holds : forall l f k n rs, Forall2 inside (counts n k) rs ->
      (forall r, inside (questions_of l test) r -> inside (questions_of l test) (f r)) ->
      Forall2 inside (counts n k) (update n l f rs).
    Proof.
      intros l f k. unfold counts. induction k as [| k step]; intros n rs fit holds; simpl in *.
      - inversion fit. constructor.
      - inversion fit as [| ? r ? rest here there]; subst. simpl. constructor.
        + destruct (Nat.eqb_spec n l); [subst; apply holds |]; exact here.
        + apply step; assumption.
    Qed.

    Lemma no_empty_label : forall rs, Forall2 inside (counts 0 labels) rs -> existsb empty rs = false.
    Proof.
      intros rs fit. induction fit as [| v r vs rs here fit step]; simpl; [reflexivity |].
      rewrite (not_empty v r here). exact step.
    Qed.

    Lemma no_empty_bound : forall b, fits b -> existsb (fun e => empty (snd e)) b = false.
    Proof.
      intros b fit. apply not_true_is_false. intro some. apply existsb_exists in some.
      destruct some as [[x r] [there none]]. simpl in none. rewrite (not_empty _ _ (fit x r there)) in none. discriminate.
    Qed.

    (** The right answers that a safe key needs. *)
    Lemma factor_positive : forall l, 0 < fst (nth l factors (1, 1)) /\ 0 < snd (nth l factors (1, 1)).
    Proof.
      intro l. destruct (Nat.lt_ge_cases l (length factors)) as [h | h].
      - assert (both := proj1 (forallb_forall _ _) factors_positive _ (nth_In factors (1, 1) h)).
        apply andb_true_iff in both. destruct both as [p q]. apply Z.ltb_lt in p, q. split; assumption.
      - rewrite nth_overflow by exact h. simpl. lia.
    Qed.

    Lemma least_holds : forall j l, In j who -> (l < labels)%nat ->
      least (nth l factors (1, 1)) (questions_of l test) <= right_answers j l test.
    Proof.
      intros j l judge known_label. unfold least. destruct (Z.eqb_spec (questions_of l test) 0) as [e | e].
      - apply count_low.
      - assert (low : 0 <= questions_of l test) by apply count_low.
        destruct (factor_positive l) as [positive _].
        assert (s := proj1 (all_safe j judge) l known_label ltac:(lia)).
        assert (snd (nth l factors (1, 1)) * questions_of l test / fst (nth l factors (1, 1)) < right_answers j l test)
          by (apply Z.div_lt_upper_bound; lia). lia.
    Qed.

    Lemma needed_of_member_holds : forall b l m, fits b -> (l < labels)%nat -> In (who_is m) who ->
      needed_of_member b l (questions_of l test) m <= nth l (weights m) 0 * right_answers (who_is m) l test.
    Proof.
      intros b l m fit known_label judge. unfold needed_of_member.
      assert (r := known_holds b (Right (who_is m) l) fit). unfold inside, value in r.
      change (count (belongs (Right (who_is m) l)) test) with (right_answers (who_is m) l test) in r.
      assert (s := least_holds (who_is m) l judge known_label).
      destruct (Z.leb_spec 0 (nth l (weights m) 0)) as [h | h].
      - apply Z.mul_le_mono_nonneg_l; [exact h |]. apply Z.max_lub; lia.
      - apply Z.mul_le_mono_nonpos_l; lia.
    Qed.

    Lemma needed_by_labels : forall (f : nat -> Z -> Z) k n rs, Forall2 inside (counts n k) rs ->
      total (fun e => least_in (f (fst e)) (snd e)) (combine (seq n k) rs)
      <= total (fun l => f l (questions_of l test)) (seq n k).
    Proof.
      intros f k. unfold counts. induction k as [| k step]; intros n rs fit; simpl in *; [lia |].
      inversion fit as [| ? r ? rest here there]; subst. simpl.
      assert (h := least_in_holds (f n) r _ here). specialize (step (S n) rest there). lia.
    Qed.

    (** What a key gains in all, by questions and by judges. *)
    Definition gained (g : part) : Z := total (fun q => gain g (restricted (group_of g) (answers q)) (truth q)) test.

    Lemma total_combine : forall {X Y} (f : Y -> X) (h : X * Y -> Z) ys,
      total h (combine (map f ys) ys) = total (fun y => h (f y, y)) ys.
    Proof. intros. induction ys as [| y ys step]; simpl; [reflexivity | rewrite step; reflexivity]. Qed.

    Lemma gained_by_judges : forall g, gained g =
      total (fun l => total (fun m => (nth l (weights m) 0 + anywhere m) * right_answers (who_is m) l test) (members g)
                      - nth l (prices g) 0 * questions_of l test) (seq 0 labels).
    Proof.
      intro g. unfold gained.
      rewrite (total_by_labels labels votes test of_votes
        (fun l q => gain g (restricted (group_of g) (answers q)) l)).
      apply total_same. intros l _.
      rewrite (total_same _ (fun q =>
        total (fun m => (nth l (weights m) 0 + anywhere m)
                        * indicator (Nat.eqb (truth q) l && Nat.eqb (answer_of (who_is m) q) l)) (members g)
        + (- nth l (prices g) 0) * indicator (Nat.eqb (truth q) l))).
      - rewrite total_plus, total_times, total_swap. unfold questions_of, count.
        rewrite (total_same (fun m => total _ test)
          (fun m => (nth l (weights m) 0 + anywhere m) * right_answers (who_is m) l test))
          by (intros m _; unfold right_answers, count; rewrite <- total_times; reflexivity). lia.
      - intros q _. unfold gain, restricted, group_of. rewrite map_map, total_combine.
        destruct (Nat.eqb (truth q) l); cbn [indicator andb].
        + rewrite (total_same _ (fun m => (nth l (weights m) 0 + anywhere m)
            * indicator (Nat.eqb (answer_of (who_is m) q) l))) by (intros; unfold answer_of; cbn [fst snd]; lia). lia.
        + rewrite (total_zero (fun m => (nth l (weights m) 0 + anywhere m) * 0)) by (intros; lia). lia.
    Qed.

    Lemma goal_reached : forall j, 0 < snd grade -> In j who ->
      goal <= total (fun l => right_answers j l test) (seq 0 labels).
    Proof.
      intros j positive judge. assert (h := proj2 (all_safe j judge)). rewrite <- size_is in h. fold labels in h.
      unfold goal. assert (- total (fun l => right_answers j l test) (seq 0 labels) <= - (fst grade * size) / snd grade); [| lia].
      apply Z.div_le_lower_bound; lia.
    Qed.

    Lemma gained_at_least : forall b g, 0 < snd grade -> fits b -> well_formed g = true ->
      total (fun l => total (needed_of_member b l (questions_of l test)) (members g)
                      - nth l (prices g) 0 * questions_of l test) (seq 0 labels)
      + total (fun m => anywhere m * goal) (members g) <= gained g.
    Proof.
      intros b g positive fit formed. rewrite gained_by_judges.
      unfold well_formed in formed. rewrite forallb_forall in formed.
      assert (judges : forall m, In m (members g) -> In (who_is m) who /\ 0 <= anywhere m).
      { intros m there. specialize (formed m there). apply andb_true_iff in formed. destruct formed as [one two].
        apply Z.leb_le in two. split; [| exact two]. apply existsb_exists in one. destruct one as [j [a e]].
        apply Nat.eqb_eq in e. rewrite e. exact a. }
      rewrite (total_same (fun l => total (fun m => (nth l (weights m) 0 + anywhere m) * right_answers (who_is m) l test) (members g)
                      - nth l (prices g) 0 * questions_of l test)
        (fun l => (total (fun m => nth l (weights m) 0 * right_answers (who_is m) l test) (members g)
                   - nth l (prices g) 0 * questions_of l test)
                  + total (fun m => anywhere m * right_answers (who_is m) l test) (members g))).
      - rewrite (total_plus _ (fun l => total (fun m => anywhere m * right_answers (who_is m) l test) (members g))).
        apply Z.add_le_mono.
        + apply total_le. intros l there. apply in_seq in there. apply Z.sub_le_mono_r. apply total_le.
          intros m in_group. apply needed_of_member_holds; [exact fit | lia | apply judges; exact in_group].
        + rewrite total_swap. apply total_le. intros m there. destruct (judges m there) as [judge low].
          rewrite total_times. apply Z.mul_le_mono_nonneg_l; [exact low |]. apply goal_reached; assumption.
      - intros l _. rewrite (total_same _ (fun m => nth l (weights m) 0 * right_answers (who_is m) l test
          + anywhere m * right_answers (who_is m) l test)) by (intros; lia). rewrite total_plus. lia.
    Qed.

    (** The most that any key gains. *)

    Let shares (g : part) (p : pattern) : list Z := map (fun l => value (Among (group_of g) p l) test) (seq 0 labels).

    Lemma shares_fit : forall b g p, fits b -> Forall2 (fun x e => inside x (snd e)) (shares g p) (gains_of g b p).
    Proof.
      intros b g p fit. unfold shares, gains_of. induction (seq 0 labels) as [| l rest step]; simpl; constructor; [| exact step].
      apply known_holds. exact fit.
    Qed.

    Lemma shares_sum : forall g p, total (fun x => x) (shares g p) = often (group_of g) p.
    Proof.
      intros g p. unfold shares. rewrite total_map, <- often_is. unfold count.
      rewrite (total_by_labels labels votes test of_votes
        (fun _ q => indicator (same_pattern (restricted (group_of g) (answers q)) p))).
      apply total_same. intros l _. unfold value, count. apply total_same. intros q _. simpl.
      destruct (Nat.eqb (truth q) l); simpl; unfold indicator;
        destruct (same_pattern (restricted (group_of g) (answers q)) p); lia.
    Qed.

    Lemma gained_by_patterns : forall b g, gained g =
      total (fun p => total (fun e => fst e * fst (snd e)) (combine (shares g p) (gains_of g b p))) (group_patterns g).
    Proof.
      intros b g. unfold gained.
      rewrite (total_same _ (fun q => total (fun p =>
        indicator (same_pattern (restricted (group_of g) (answers q)) p) * gain g p (truth q)) (group_patterns g))).
      - rewrite total_swap. apply total_same. intros p _.
        rewrite (total_by_labels labels votes test of_votes
          (fun l q => indicator (same_pattern (restricted (group_of g) (answers q)) p) * gain g p l)).
        unfold shares, gains_of. rewrite total_products. apply total_same. intros l _. unfold value, count.
        rewrite (Z.mul_comm (total _ test) (gain g p l)), <- total_times. apply total_same. intros q _. cbn [belongs].
        destruct (Nat.eqb (truth q) l), (same_pattern (restricted (group_of g) (answers q)) p);
          cbn [andb indicator]; lia.
      - intros q there. symmetry.
        apply (total_of_one (fun p => same_pattern (restricted (group_of g) (answers q)) p) (fun p => gain g p (truth q))).
        + intro p. rewrite same_pattern_iff. split; congruence.
        + apply NoDup_nodup.
        + apply nodup_In. assert (a := answers_are_seen labels votes test of_votes q there).
          unfold patterns in a. apply nodup_In, in_map_iff in a. destruct a as [v [e in_votes]].
          apply in_map_iff. exists v. rewrite e. split; [reflexivity | exact in_votes].
    Qed.

    Lemma gained_at_most : forall b g, fits b -> gained g <= most b g.
    Proof.
      intros b g fit. rewrite (gained_by_patterns b g). unfold most. apply total_le. intros p _.
      assert (h := fun price => at_price_holds (shares g p) (gains_of g b p) price (shares_fit b g p fit)).
      rewrite shares_sum in h. unfold most_gained. apply smallest_holds; [apply h |].
      intros x there. apply in_map_iff in there. destruct there as [price [e _]]. rewrite <- e. apply h.
    Qed.

    Lemma not_crowded : forall b g, fits b -> crowded b g = false.
    Proof.
      intros b g fit. apply not_true_is_false. intro some. apply existsb_exists in some. destruct some as [p [_ none]].
      assert (sums : forall xs es, Forall2 (fun x (e : Z * range) => inside x (snd e)) xs es ->
        total fst (map snd es) <= total (fun x => x) xs <= total snd (map snd es)).
      { intros xs es f. induction f as [| x e xs es here f step]; simpl; [lia |]. unfold inside in here. lia. }
      specialize (sums _ _ (shares_fit b g p fit)). rewrite shares_sum in sums.
      apply orb_true_iff in none. destruct none as [n | n]; apply Z.ltb_lt in n; lia.
    Qed.

    Lemma leaf_sound : forall rs b parts, 0 < snd grade -> Forall2 inside (counts 0 labels) rs -> fits b ->
      leaf_holds rs b parts = false.
    Proof.
      intros rs b parts positive ranges fit. apply not_true_is_false. intro holds. unfold leaf_holds in holds.
      apply andb_true_iff in holds. destruct holds as [formed holds]. rewrite forallb_forall in formed.
      apply orb_true_iff in holds. destruct holds as [none | less].
      - apply existsb_exists in none. destruct none as [g [_ c]]. rewrite (not_crowded b g fit) in c. discriminate.
      - apply Z.ltb_lt in less. assert (n := needed_by_labels (needed parts b) labels 0 rs ranges).
        assert (up : total gained parts <= total (most b) parts) by (apply total_le; intros; apply gained_at_most; exact fit).
        assert (down : total (fun l => needed parts b l (questions_of l test)) (seq 0 labels)
          + total (fun g => total (fun m => anywhere m * goal) (members g)) parts <= total gained parts).
        { unfold needed. rewrite total_swap, <- total_plus. apply total_le. intros g there.
          apply gained_at_least; [exact positive | exact fit | apply formed; exact there]. }
        lia.
    Qed.

    Theorem refutes_sound : 0 < snd grade -> forall tree rs b, Forall2 inside (counts 0 labels) rs -> fits b ->
      refutes rs b tree = false.
    Proof.
      intros positive tree. induction tree as [parts | x at_most below on_below above on_above]; intros rs b ranges fit.
      - simpl. rewrite (no_empty_label rs ranges), (no_empty_bound b fit). apply leaf_sound; assumption.
      - assert (plain : forall y, y = x -> (let r := known y b in
            refutes rs ((y, (fst r, Z.min (snd r) at_most)) :: b) below &&
            refutes rs ((y, (Z.max (fst r) (at_most + 1), snd r)) :: b) above) = false).
        { intros y _. assert (k := known_holds b y fit). unfold inside in k. cbv zeta. apply andb_false_iff.
          destruct (Z.le_gt_cases (value y test) at_most) as [h | h];
            [left; apply on_below | right; apply on_above]; try exact ranges;
            intros z r there; (destruct there as [e | there]; [| apply fit; exact there]);
            inversion e; subst; unfold inside; simpl; lia. }
        assert (by_label : forall l, refutes (tightened (update 0 l (fun r => (fst r, Z.min (snd r) at_most)) rs)) b below &&
            refutes (tightened (update 0 l (fun r => (Z.max (fst r) (at_most + 1), snd r)) rs)) b above = false).
        { intro l. apply andb_false_iff.
          destruct (Z.le_gt_cases (questions_of l test) at_most) as [h | h];
            [left; apply on_below | right; apply on_above]; try exact fit;
            apply tightened_holds, update_holds; try exact ranges;
            intros r k; unfold inside in *; simpl; lia. }
        cbn [refutes]. rewrite (no_empty_label rs ranges), (no_empty_bound b fit). cbn [orb].
        destruct x as [l | j l | group p l]; [apply by_label | apply plain; reflexivity | apply plain; reflexivity].
    Qed.

    Lemma first_range_holds : forall l, (l < labels)%nat -> inside (questions_of l test) (first_range l).
    Proof.
      intros l known_label. unfold inside, first_range. cbn [fst snd].
      assert (low : 0 <= questions_of l test) by apply count_low. split; [exact low |].
      assert (high := proj2 (widest_holds (Questions l))). unfold value in high. simpl in high.
      fold (questions_of l test) in high.
      apply smallest_holds; [exact high |]. intros x there. apply in_map_iff in there. destruct there as [j [is judge]].
      subst x. unfold cap. destruct (Z.eq_dec (questions_of l test) 0) as [e | e]; [lia |].
      assert (s := proj1 (all_safe j judge) l known_label ltac:(lia)).
      assert (r : right_answers j l test <= said j l)
        by (rewrite <- said_is; apply count_le; intro y; rewrite andb_true_iff; tauto).
      destruct (factor_positive l) as [ps pt].
      apply Z.max_le_iff. right. apply Z.div_le_lower_bound; [exact pt |]. nia.
    Qed.

    Lemma first_ranges_hold : forall k n, (n + k <= labels)%nat -> Forall2 inside (counts n k) (map first_range (seq n k)).
    Proof.
      intro k. unfold counts. induction k as [| k step]; intros n h; simpl; constructor.
      - apply first_range_holds. lia.
      - apply step. lia.
    Qed.

    Lemma root_holds : Forall2 inside (counts 0 labels) (root limits).
    Proof.
      unfold root. apply tightened_holds. unfold limited.
      assert (some : forall ls, incl ls limits -> Forall2 inside (counts 0 labels) (limited ls (map first_range (seq 0 labels)))).
      { intros ls. induction ls as [| [l r] ls step]; intro there; simpl.
        - apply first_ranges_hold. lia.
        - apply update_holds; [apply step; intros e h; apply there; right; exact h |].
          intros s h. assert (k := limit l r (there _ (or_introl eq_refl))). unfold inside in *. simpl. lia. }
      apply some. apply incl_refl.
    Qed.
  End Sound.

  (** A proof that the checker accepts is right: no test with these votes, and with so many questions of the labels as
      the limits say, has all these judges safe. *)
  Theorem proves_sound : forall limits tree, proves limits tree = true ->
    ~ exists test, test_of labels votes test /\ safe factors grade who test /\
        (forall l r, In (l, r) limits -> inside (questions_of l test) r).
  Proof.
    intros limits tree holds [test [of_votes [all_safe limit]]]. unfold proves in holds.
    apply andb_true_iff in holds. destruct holds as [holds refuted]. apply andb_true_iff in holds.
    destruct holds as [positive factors_positive]. apply Z.ltb_lt in positive.
    rewrite (refutes_sound test of_votes all_safe factors_positive positive tree (root limits) []
      (root_holds test limits of_votes limit all_safe factors_positive)) in refuted; [discriminate |].
    intros x r there. contradiction.
  Qed.

  (** If the alarm of single judges fires, no test with these votes has all these judges safe; any number of labels. *)
  Theorem single_alarm_sound : single_alarm = true ->
    ~ exists test, test_of labels votes test /\ safe factors grade who test.
  Proof.
    intros fires [test [of_votes all_safe]]. unfold single_alarm in fires. apply andb_true_iff in fires.
    destruct fires as [factors_positive less]. apply Z.ltb_lt in less.
    assert (sum := sum_of_counts test of_votes).
    assert (total (fun l => questions_of l test) (seq 0 labels) <= total (fun l => snd (first_range l)) (seq 0 labels)).
    { apply total_le. intros l there. apply in_seq in there.
      apply (first_range_holds test of_votes all_safe factors_positive l). lia. }
    lia.
  Qed.
End Checker.

(** The same without limits. *)
Corollary proves_sound_for_all : forall factors grade who votes tree, proves factors grade who votes [] tree = true ->
  ~ exists test, test_of (length factors) votes test /\ safe factors grade who test.
Proof.
  intros factors grade who votes tree holds [test [of_votes all_safe]].
  apply (proves_sound factors grade who votes [] tree holds). exists test. repeat split; try apply of_votes;
    try (apply all_safe; assumption); contradiction.
Qed.
