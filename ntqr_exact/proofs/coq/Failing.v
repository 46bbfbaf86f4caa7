(** How many judges fail: failing judges hit every group that no key makes safe, so that disjoint groups add up, and a
    clique of k judges of which no two can both be safe has at least k - 1 failing ones. *)

From Coq Require Import List Lia Bool PeanoNat Permutation ZArith.
From NtqrExact Require Import Questions Safety.
Import ListNotations.
Open Scope nat_scope.

Section Failing.
  Variable failing : nat -> bool.
  Definition failures (group : list nat) : nat := length (filter failing group).
  Definition hit (group : list nat) : Prop := exists j, In j group /\ failing j = true.

  Lemma group_fails : forall group, hit group -> 1 <= failures group.
  Proof.
    intros group [j [there fails]]. unfold failures.
    assert (inside : In j (filter failing group)) by (apply filter_In; split; assumption).
    destruct (filter failing group); [contradiction | simpl; lia].
  Qed.

  Lemma filter_lengths : forall group, failures group + length (filter (fun j => negb (failing j)) group) = length group.
  Proof. intro group. unfold failures. induction group as [| j group step]; simpl; [lia |]. destruct (failing j); simpl; lia. Qed.

  Theorem clique_fails : forall group, NoDup group ->
    (forall i j, In i group -> In j group -> i <> j -> hit [i; j]) -> length group - 1 <= failures group.
  Proof.
    intros group different pairs. assert (lengths := filter_lengths group).
    assert (few : length (filter (fun j => negb (failing j)) group) <= 1); [| lia].
    assert (rest := NoDup_filter (fun j => negb (failing j)) different).
    assert (inside : forall j, In j (filter (fun j => negb (failing j)) group) -> In j group /\ failing j = false).
    { intros j there. apply filter_In in there. destruct there as [there fine]. split; [exact there |].
      apply negb_true_iff. exact fine. }
    destruct (filter (fun j => negb (failing j)) group) as [| i [| j others]]; simpl; try lia. exfalso.
    destruct (inside i (or_introl eq_refl)) as [in_i fine_i].
    destruct (inside j (or_intror (or_introl eq_refl))) as [in_j fine_j].
    assert (apart : i <> j) by (inversion rest as [| ? ? fresh]; intro same; subst; apply fresh; left; reflexivity).
    destruct (pairs i j in_i in_j apart) as [k [[<- | [<- | []]] fails]]; congruence.
  Qed.

  Lemma failures_app : forall some others, failures (some ++ others) = failures some + failures others.
  Proof. intros some others. unfold failures. rewrite filter_app, app_length. reflexivity. Qed.

  Lemma failures_within : forall some judges, NoDup some -> incl some judges -> failures some <= failures judges.
  Proof.
    intros some judges different inside. unfold failures. apply NoDup_incl_length.
    - apply NoDup_filter. exact different.
    - intros j there. apply filter_In in there. apply filter_In. split; [apply inside |]; tauto.
  Qed.

  (** Parts of a panel, no judge in two of them, each with a lower bound of its failures. *)
  Theorem parts_add_up : forall (parts : list (list nat * nat)) judges,
    NoDup (concat (map fst parts)) -> incl (concat (map fst parts)) judges ->
    (forall part, In part parts -> snd part <= failures (fst part)) -> list_sum (map snd parts) <= failures judges.
  Proof.
    intros parts judges different inside bounds.
    apply (Nat.le_trans _ (failures (concat (map fst parts)))); [| apply failures_within; assumption].
    clear different inside. induction parts as [| part parts step]; simpl; [lia |].
    rewrite failures_app. assert (one := bounds part (or_introl eq_refl)).
    assert (list_sum (map snd parts) <= failures (concat (map fst parts))); [| simpl in *; lia].
    apply step. intros other there. apply bounds. right. exact there.
  Qed.

  Corollary disjoint_groups_add_up : forall groups judges, NoDup (concat groups) -> incl (concat groups) judges ->
    (forall group, In group groups -> hit group) -> length groups <= failures judges.
  Proof.
    intros groups judges different inside hits.
    assert (same : map fst (map (fun group => (group, 1)) groups) = groups).
    { rewrite map_map. simpl. apply map_id. }
    assert (ones : list_sum (map snd (map (fun group : list nat => (group, 1)) groups)) = length groups).
    { rewrite map_map. simpl. clear. induction groups as [| group groups step]; simpl; lia. }
    rewrite <- ones. apply parts_add_up; rewrite ?same; try assumption.
    intros part there. apply in_map_iff in there. destruct there as [group [<- there]]. apply group_fails. exact (hits group there).
  Qed.
End Failing.

(** A group that no key makes safe is hit by the judges that fail under any key. *)
Theorem impossible_group_is_hit : forall {Key} (keys : Key -> Prop) (safe : Key -> nat -> bool) group,
  ~ (exists key, keys key /\ forall j, In j group -> safe key j = true) ->
  forall key, keys key -> hit (fun j => negb (safe key j)) group.
Proof.
  intros Key keys safe group impossible key is_key.
  destruct (forallb (safe key) group) eqn:all.
  - exfalso. apply impossible. exists key. split; [exact is_key |]. apply forallb_forall. exact all.
  - assert (some : existsb (fun j => negb (safe key j)) group = true).
    { clear -all. induction group as [| j group step]; simpl in *; [discriminate |].
      destruct (safe key j); simpl in *; [apply step; exact all | reflexivity]. }
    apply existsb_exists in some. exact some.
Qed.

(** A judge passes if it is right on more than t/s of its questions of every label. A leaf without conditions, with the
    multipliers of each judge and label, proves that a group does not pass as a whole. *)
Definition passes (labels : nat) (s t : Z) (test : list question) (j : nat) : bool :=
  forallb (fun l => (questions_for labels j l test =? 0)%Z ||
                    (t * questions_for labels j l test <? s * right_answers j l test)%Z) (seq 0 labels).
Definition claims_of (labels : nat) (s t : Z) (rows : list (nat * list Z)) : list (Z * claim) :=
  flat_map (fun r => map (fun c => (snd c, Safe (fst r) (fst c) s t)) (combine (seq 0 labels) (snd r))) rows.
Definition refuted (labels : nat) (s t : Z) (rows : list (nat * list Z)) (votes : counted) : bool :=
  refutes labels (allowed_by labels []) (map (fun c => (fst c, row_of labels (snd c))) (claims_of labels s t rows)) votes.

Theorem refuted_group_is_hit : forall labels s t rows votes test, refuted labels s t rows votes = true ->
  test_of labels votes test -> hit (fun j => negb (passes labels s t test j)) (map fst rows).
Proof.
  intros labels s t rows votes test proof.
  apply (impossible_group_is_hit (fun test => test_of labels votes test) (passes labels s t)).
  intros [key [of_votes all]]. unfold refuted in proof.
  assert (known : forall c, In c (claims_of labels s t rows) -> exists r l,
    In r rows /\ (l < labels)%nat /\ snd c = Safe (fst r) l s t).
  { intros c there. apply in_flat_map in there. destruct there as [r [in_rows there]]. apply in_map_iff in there.
    destruct there as [[l x] [<- there]]. apply in_combine_l in there. apply in_seq in there.
    exists r, l. simpl. repeat split; [exact in_rows | lia]. }
  refine (safety_leaf_sound labels [] (claims_of labels s t rows) votes key _ proof of_votes _ _).
  - intros c there. destruct (known c there) as [r [l [_ [low ->]]]]. exact low.
  - intros m [].
  - intros c there. destruct (known c there) as [r [l [in_rows [low ->]]]]. simpl.
    assert (pass := all (fst r) (in_map fst rows r in_rows)). unfold passes in pass. rewrite forallb_forall in pass.
    assert (at_l : In l (seq 0 labels)) by (apply in_seq; lia).
    specialize (pass l at_l). apply orb_prop in pass. destruct pass as [none | more].
    + left. apply Z.eqb_eq. exact none.
    + right. apply Z.ltb_lt. exact more.
Qed.

(** A proof in parts, checked by computation: a part is a refuted group, or a clique of which every pair is refuted. *)
Definition same (one other : list nat) : bool := if list_eq_dec Nat.eq_dec one other then true else false.
Definition is_refuted (groups : list (list (nat * list Z))) (group : list nat) : bool :=
  existsb (fun rows => same (map fst rows) group) groups.
Definition all_different (group : list nat) : bool := same (nodup Nat.eq_dec group) group.
Definition part_holds (groups : list (list (nat * list Z))) (part : list nat * nat) : bool :=
  (snd part <=? 1) && is_refuted groups (fst part) ||
  (snd part <=? length (fst part) - 1) && all_different (fst part) &&
  forallb (fun i => forallb (fun j => (i =? j) || is_refuted groups [i; j] || is_refuted groups [j; i]) (fst part)) (fst part).
Definition proves (labels : nat) (s t : Z) (groups : list (list (nat * list Z))) (votes : counted)
    (parts : list (list nat * nat)) (judges : list nat) : bool :=
  forallb (fun rows => refuted labels s t rows votes) groups && forallb (part_holds groups) parts &&
  all_different (concat (map fst parts)) && forallb (fun j => existsb (Nat.eqb j) judges) (concat (map fst parts)).

Lemma same_sound : forall one other, same one other = true -> one = other.
Proof. intros one other. unfold same. destruct (list_eq_dec Nat.eq_dec one other); [trivial | discriminate]. Qed.
Lemma all_different_sound : forall group, all_different group = true -> NoDup group.
Proof. intros group proof. apply same_sound in proof. rewrite <- proof. apply NoDup_nodup. Qed.

Theorem parts_prove_failures : forall labels s t groups votes parts judges test,
  proves labels s t groups votes parts judges = true -> test_of labels votes test ->
  list_sum (map snd parts) <= failures (fun j => negb (passes labels s t test j)) judges.
Proof.
  intros labels s t groups votes parts judges test proof of_votes. unfold proves in proof.
  apply andb_prop in proof. destruct proof as [proof inside]. apply andb_prop in proof. destruct proof as [proof different].
  apply andb_prop in proof. destruct proof as [refutations holds]. rewrite forallb_forall in refutations, holds, inside.
  assert (hits : forall group, is_refuted groups group = true -> hit (fun j => negb (passes labels s t test j)) group).
  { intros group there. apply existsb_exists in there. destruct there as [rows [in_groups equal]].
    apply same_sound in equal. subst group. exact (refuted_group_is_hit _ _ _ _ _ _ (refutations rows in_groups) of_votes). }
  apply parts_add_up; [exact (all_different_sound _ different) | |].
  - intros j there. apply inside in there. apply existsb_exists in there. destruct there as [k [known equal]].
    apply Nat.eqb_eq in equal. subst. exact known.
  - intros part there. specialize (holds part there). unfold part_holds in holds. apply orb_prop in holds.
    destruct holds as [one | clique].
    + apply andb_prop in one. destruct one as [few one]. apply Nat.leb_le in few.
      assert (fails := group_fails _ _ (hits _ one)). lia.
    + apply andb_prop in clique. destruct clique as [clique pairs]. apply andb_prop in clique. destruct clique as [few alone].
      apply Nat.leb_le in few. rewrite forallb_forall in pairs.
      apply (Nat.le_trans _ (length (fst part) - 1)); [exact few |]. apply clique_fails; [exact (all_different_sound _ alone) |].
      intros i j in_i in_j apart. specialize (pairs i in_i). rewrite forallb_forall in pairs. specialize (pairs j in_j).
      apply orb_prop in pairs. destruct pairs as [pairs | other]; [apply orb_prop in pairs; destruct pairs as [equal | one] |].
      * apply Nat.eqb_eq in equal. contradiction.
      * exact (hits _ one).
      * destruct (hits _ other) as [k [there_k fails]]. exists k. split; [simpl in *; tauto | exact fails].
Qed.
