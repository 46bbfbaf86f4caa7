(** Ranges of whole numbers: sums of what lies in them, and the least and the most that such sums can be. *)

From Coq Require Import ZArith List Lia Bool PeanoNat.
From NtqrExact Require Import Questions.
Import ListNotations.
Open Scope Z_scope.

Definition range := (Z * Z)%type.
Definition inside (value : Z) (r : range) : Prop := fst r <= value <= snd r.
(** A range, tightened by the sum of all. *)
Definition tight (all lows highs : Z) (r : range) : range :=
  (Z.max (fst r) (all - (highs - snd r)), Z.min (snd r) (all - (lows - fst r))).

Fixpoint update (n l : nat) (f : range -> range) (rs : list range) : list range :=
  match rs with [] => [] | r :: rest => (if Nat.eqb n l then f r else r) :: update (S n) l f rest end.
Definition empty (r : range) : bool := snd r <? fst r.

(** The least value of a function in a range. *)
Fixpoint least_over (f : Z -> Z) (from : Z) (more : nat) : Z :=
  match more with O => f from | S n => Z.min (f from) (least_over f (from + 1) n) end.
Definition least_in (f : Z -> Z) (r : range) : Z := least_over f (fst r) (Z.to_nat (snd r - fst r)).

(** The most that n questions gain, with so many of each label at least and at most: any price of a question will do. *)
Definition at_price (n : Z) (gains : list (Z * range)) (price : Z) : Z :=
  price * n + total (fun e => Z.max (fst (snd e) * (fst e - price)) (snd (snd e) * (fst e - price))) gains.
Fixpoint smallest (first : Z) (others : list Z) : Z :=
  match others with [] => first | x :: rest => Z.min x (smallest first rest) end.
Definition most_gained (n : Z) (gains : list (Z * range)) : Z :=
  smallest (at_price n gains 0) (map (at_price n gains) (map fst gains)).

Lemma ones : forall {X} (xs : list X), total (fun _ => 1) xs = Z.of_nat (length xs).
Proof.
  intros X xs. unfold total. induction xs as [| x xs step]; [reflexivity |].
  cbn [fold_right length]. rewrite Nat2Z.inj_succ, step. lia.
Qed.

Lemma tight_all : forall values rs all lows highs, Forall2 inside values rs ->
  all - total (fun v => v) values <= highs - total snd rs -> lows - total fst rs <= all - total (fun v => v) values ->
  Forall2 inside values (map (tight all lows highs) rs).
Proof.
  intros values rs all lows highs fit. revert all lows highs.
  assert (sums : forall vs ss, Forall2 inside vs ss ->
    total fst ss <= total (fun v => v) vs <= total snd ss).
  { intros vs ss f. induction f as [| v r vs ss h f step]; simpl; [lia |]. unfold inside in h. lia. }
  induction fit as [| v r values rs here fit step]; intros all lows highs up down; simpl; [constructor |].
  assert (s := sums values rs fit). simpl in up, down. unfold inside in here. constructor.
  - unfold inside, tight. simpl. lia.
  - apply step; lia.
Qed.

Lemma total_map : forall {X Y} (f : X -> Y) (g : Y -> Z) xs, total g (map f xs) = total (fun x => g (f x)) xs.
Proof. intros. induction xs as [| x xs step]; simpl; [reflexivity | rewrite step; reflexivity]. Qed.

Lemma not_empty : forall v r, inside v r -> empty r = false.
Proof. intros v r h. unfold inside, empty in *. apply Z.ltb_ge. lia. Qed.

Lemma least_over_holds : forall f more from x, from <= x <= from + Z.of_nat more -> least_over f from more <= f x.
Proof.
  intros f more. induction more as [| n step]; intros from x h; cbn [least_over].
  - replace x with from by lia. lia.
  - destruct (Z.eq_dec x from) as [e | e]; [subst; lia |].
    specialize (step (from + 1) x ltac:(lia)). lia.
Qed.

Lemma least_in_holds : forall f r x, inside x r -> least_in f r <= f x.
Proof. intros f r x h. unfold inside in h. apply least_over_holds. lia. Qed.

Lemma at_price_holds : forall (xs : list Z) (gains : list (Z * range)) price,
  Forall2 (fun x e => inside x (snd e)) xs gains ->
  total (fun e => fst e * fst (snd e)) (combine xs gains) <= at_price (total (fun x => x) xs) gains price.
Proof.
  intros xs gains price fit. unfold at_price, total, range in *.
  induction fit as [| x e xs gains here fit step]; cbn [combine fold_right fst snd]; [lia |]. unfold inside in here.
  assert (one : x * (fst e - price) <= Z.max (fst (snd e) * (fst e - price)) (snd (snd e) * (fst e - price))) .
  { destruct (Z.le_ge_cases 0 (fst e - price)) as [h | h]; apply Z.max_le_iff; [right | left];
      [apply Z.mul_le_mono_nonneg_r | apply Z.mul_le_mono_nonpos_r]; lia. }
  revert one step. generalize (Z.max (fst (snd e) * (fst e - price)) (snd (snd e) * (fst e - price))).
  intros top one step. rewrite Z.mul_sub_distr_l in one. rewrite Z.mul_add_distr_l. cbv beta in *. lia.
Qed.

Lemma smallest_holds : forall y first others, y <= first -> (forall x, In x others -> y <= x) -> y <= smallest first others.
Proof.
  intros y first others low. induction others as [| x rest step]; intro less; simpl; [exact low |].
  apply Z.min_glb; [apply less; left; reflexivity | apply step]. intros z there. apply less. right. exact there.
Qed.

Lemma total_products : forall {X} (f h : X -> Z) (r : X -> range) xs,
  total (fun e => fst e * fst (snd e)) (combine (map f xs) (map (fun x => (h x, r x)) xs))
  = total (fun x => f x * h x) xs.
Proof. intros. induction xs as [| x xs step]; simpl; [reflexivity | rewrite step; reflexivity]. Qed.
