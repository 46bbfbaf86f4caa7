(** Where the keys of two labels are that stay within a budget of dependence, by multiplying bounds.

    Of n questions a key gives m the label 0 and q the label 1; judge i answers 0 to r and r' of these. Let d = r q - r' m,
    W = |d| / sqrt (m q) and rho = sqrt (q / m). Where correlations are small, the covariances of the votes bound
    products of two W; rates between 0 and 1 bound W rho and W / rho; and q/m has its own bounds, if m is in a given range.
    A bound of x / y and one of y / z are one of x / z: all that follows so is found as shortest paths are. What is
    left is a list of cells, each with ranges of m / n and of the rates. *)

From Coq Require Import ZArith QArith Qabs Qminmax List Lia Bool PeanoNat.
From NtqrExact Require Import Questions Budget Whole.
Import ListNotations.
Open Scope Q_scope.

(** W of judge i and its inverse; with the number of judges in the place of i, rho and its inverse. *)
Inductive node := Up (i : nat) | Down (i : nat).
Definition inverse (x : node) : node := match x with Up i => Down i | Down i => Up i end.

(** Upper bounds of x / y by the places of x and y; nothing where none is known. *)
Definition table := list (list (option Q)).
Definition less (x y : option Q) : option Q :=
  match x, y with
  | Some a, Some b => Some (if Qle_bool a b then a else b)
  | None, _ => y
  | _, None => x
  end.
Definition product (x y : option Q) : option Q :=
  match x, y with Some a, Some b => Some (Qred (a * b)) | _, _ => None end.
Fixpoint zipped {X} (f : X -> X -> X) (xs ys : list X) : list X :=
  match xs, ys with x :: xs, y :: ys => f x y :: zipped f xs ys | _, _ => [] end.

Section Table.
  Variable judges : nat.
  Definition place (x : node) : nat := match x with Up i => i | Down i => S judges + i end.
  Definition nodes : list node := map Up (seq 0 (S judges)) ++ map Down (seq 0 (S judges)).
  Definition tabulated (f : node -> node -> option Q) : table := map (fun x => map (f x) nodes) nodes.
  Definition bound (b : table) (x y : node) : option Q := nth (place y) (nth (place x) b []) None.
  Definition both (b c : table) : table := zipped (zipped less) b c.

  (** All bounds that go through one node, and through some. *)
  Definition through (y : node) (b : table) : table :=
    let second := nth (place y) b [] in
    map (fun row => match nth (place y) row None with
                    | None => row
                    | first => zipped less row (map (product first) second)
                    end) b.
  Definition multiplied (middles : list node) (b : table) : table := fold_left (fun b y => through y b) middles b.

  (** x / x cannot be below 1, but for W = 0, which a bound of its inverse excludes. *)
  Definition falls (b : table) (x : node) : bool :=
    match bound b x x with Some c => negb (Qle_bool 1 c) | None => false end.
  Definition contradicts (b : table) : bool :=
    existsb (fun i => (falls b (Up i) || falls b (Down i))
                      && (Nat.eqb i judges || match bound b (Down i) (Up i) with Some _ => true | None => false end))
            (seq 0 (S judges)).
End Table.

(** A share m / n, and the rates of the answer 0 on the labels 0 and 1, by judge. *)
Definition ends := (Q * Q)%type.
Definition cell := (ends * list (ends * ends))%type.

(** A number above the root. *)
Definition root_above (x : Q) : Q := (Z.sqrt (Qnum x * 10 ^ 24 / QDen x) + 1) # 1000000000000.

Definition or_else (default : Q) (x : option Q) : Q := match x with Some a => a | None => default end.
Definition known (x : Q) : option Q := if Qle_bool 0 x then Some (Qred x) else None.
Definition one_over (x : option Q) : Q := match x with Some a => if Qle_bool a 0 then 0 else / a | None => 0 end.
Definition times_signs (x y : bool) (z : Z) : Z := if eqb x y then z else - z.

Section Cells.
  Variables (judges : nat) (trios : bool) (delta : Q) (better : list nat) (n : Z).
  (** Of all questions: how often a judge answered 0; n^2 times the covariance of two; n^3 times the third moment. *)
  Variables (one : nat -> Z) (two : nat -> nat -> Z) (three : nat -> nat -> nat -> Z).
  Let number := inject_Z.
  Let room := delta * number (n * n).
  Let rho := Up judges.

  (** Signs of the d that the pairs allow; those of judges no worse than chance are plus. *)
  Definition allowed (known : list bool) (j : nat) (plus : bool) : bool :=
    forallb (fun i => let z := times_signs (nth i known true) plus (two i j) in
                      (0 <=? z)%Z || Qle_bool (number (- z)) room) (seq 0 j).
  Definition extended (lists : list (list bool)) (j : nat) : list (list bool) :=
    flat_map (fun known => map (fun plus => known ++ [plus])
                (filter (allowed known j) (if existsb (Nat.eqb j) better then [true] else [true; false]))) lists.
  Definition all_signs : list (list bool) := fold_left extended (seq 0 judges) [[]].

  (** What is known of every m. *)
  Definition times_rho (plus : bool) (i : nat) : option Q := known (number (if plus then n - one i else one i)).
  Definition at_first (signs : list bool) (x y : node) : option Q :=
    let plus i := nth i signs true in
    let value i j := number (times_signs (plus i) (plus j) (two i j)) in
    let is_judge i := Nat.ltb i judges in
    match x, y with
    | Up i, Down j =>
        if is_judge i then
          if Nat.eqb i j then known (number (two i i)) else
          if is_judge j then known (value i j + room) else times_rho (plus i) i
        else if is_judge j then times_rho (plus j) j else None
    | Down i, Up j =>
        if is_judge i && is_judge j && negb (Nat.eqb i j) && negb (Qle_bool (value i j) room)
        then known (/ (value i j - room)) else None
    | Up i, Up j => if is_judge i && negb (is_judge j) then times_rho (negb (plus i)) i else None
    | Down i, Down j => if negb (is_judge i) && is_judge j then times_rho (negb (plus j)) j else None
    end.

  (** What is known of the m from start to stop. *)
  Definition at_shares (start stop : Z) (x y : node) : option Q :=
    match x, y with
    | Up i, Down j => if Nat.eqb i judges && Nat.eqb j judges then known (number (n - start) / number start) else None
    | Down i, Up j => if Nat.eqb i judges && Nat.eqb j judges then known (number stop / number (n - stop)) else None
    | _, _ => None
    end.

  Section Cell.
    Variables (signs : list bool) (b : table).
    Let get := bound judges b.

    (** The range of W_i / y, where y is rho or its inverse: also by the squares. *)
    Definition quotient (y : node) (i : nat) : ends :=
      (Qmax (one_over (get y (Up i)))
            (one_over (option_map root_above (product (get (Down i) (Up i)) (get y (inverse y))))),
       or_else (number n) (less (get (Up i) y)
         (option_map root_above (product (get (Up i) (Down i)) (get (inverse y) y))))).
    Definition times i : ends := quotient (inverse rho) i.
    Definition over i : ends := quotient rho i.

    Definition rate_range (plus : bool) (first : Z) (r : ends) : ends :=
      let (low, high) := if plus then (number first + fst r, number first + snd r)
                         else (number first - snd r, number first - fst r) in
      (Qmax 0 (Qred (low / number n)), Qmin 1 (Qred (high / number n))).

    (** With p = m / n, the signed square of rho - 1 / rho; it falls as p grows. *)
    Definition tilt (p : Q) : Q := (1 - 2 * p) * Qabs (1 - 2 * p) / (p * (1 - p)).
    Definition signed_square (x : Q) : Q := x * Qabs x.

    (** Whether the third moment of three judges lies beyond what (rho - 1 / rho) W W W can be. *)
    Definition trio_fails (share : ends) (i j k : nat) : bool :=
      let (least, most) := share in
      let apart i := Qmin 1 ((snd (times i) + snd (over i)) / number n) in
      let middle := Qmin (Qmax least (1 # 2)) most in
      let slack := delta * (1 + 2 * middle * (1 - middle) * (apart i + apart j + apart k)) * number (n * n * n) in
      match product (get (Up i) (Down j)) (product (get (Up i) (Down k)) (get (Up j) (Down k))) with
      | None => false
      | Some high =>
          let low := one_over (get (Down i) (Up j)) * one_over (get (Down i) (Up k)) * one_over (get (Down j) (Up k)) in
          let bottom := Qmin (low * tilt most) (high * tilt most) in
          let top := Qmax (low * tilt least) (high * tilt least) in
          let plus := xorb (nth i signs true) (xorb (nth j signs true) (nth k signs true)) in
          let (bottom, top) := if plus then (bottom, top) else (- top, - bottom) in
          let moment := number (three i j k) in
          negb (Qle_bool (signed_square (moment - slack)) top) || negb (Qle_bool bottom (signed_square (moment + slack)))
      end.

    Definition any_trio (f : nat -> nat -> nat -> bool) : bool :=
      existsb (fun i => existsb (fun j => existsb (f i j) (seq (S j) (judges - S j))) (seq (S i) (judges - S i)))
        (seq 0 judges).

    Definition cell_of (start stop : Z) : list cell :=
      let least := Qmax (number start / number n) (one_over (option_map (Qplus 1) (get rho (inverse rho)))) in
      let most := Qmin (number stop / number n) (1 - one_over (option_map (Qplus 1) (get (inverse rho) rho))) in
      let share := (Qred least, Qred most) in
      if contradicts judges b || negb (Qle_bool least most) || (trios && any_trio (trio_fails share)) then [] else
      [(share, map (fun i => (rate_range (nth i signs true) (one i) (times i),
                              rate_range (negb (nth i signs true)) (one i) (over i))) (seq 0 judges))].
  End Cell.

  Fixpoint each_range (f : Z -> Z -> list cell) (start : Z) (cuts : list Z) : list cell :=
    match cuts with [] => [] | stop :: rest => f start (stop - 1)%Z ++ each_range f stop rest end.

  Definition cells_of (cuts : list Z) (signs : list bool) : list cell :=
    let b := multiplied judges (nodes judges) (tabulated judges (at_first signs)) in
    if contradicts judges b then [] else
    each_range (fun start stop => cell_of signs
      (multiplied judges [rho; inverse rho] (both b (tabulated judges (at_shares start stop)))) start stop) 1 cuts.

  (** Keys of one label have the correlations of the votes themselves, and no rates on the other. *)
  Definition one_label : list cell :=
    let pair i j := Qle_bool (Qabs (number (two i j))) room in
    let trio i j k := Qle_bool (Qabs (number (three i j k))) (delta * number (n * n * n)) in
    if forallb (fun i => forallb (pair i) (seq (S i) (judges - S i))) (seq 0 judges)
       && negb (trios && any_trio (fun i j k => negb (trio i j k)))
    then let rates f := map (fun i => f (Qred (number (one i) / number n))) (seq 0 judges) in
         [((1, 1), rates (fun x => ((x, x), (0, 1)))); ((0, 0), rates (fun x => ((0, 1), (x, x))))]
    else [].

  Definition all_cells (cuts : list Z) : list cell := one_label ++ flat_map (cells_of cuts) all_signs.
End Cells.

(** The cells of these votes, for the m from 1 to n - 1 in parts that begin at 1 and at the cuts. *)
Definition product_cells (judges : nat) (trios : bool) (delta : Q) (better : list nat) (cuts : list Z) (votes : counted)
  : list cell :=
  let sum f := total (fun v => snd v * f (fst v))%Z votes in
  let n := total snd votes in
  let places := seq 0 judges in
  let ones := map (fun i => sum (gave i 0)) places in
  let one i := nth i ones 0%Z in
  let boths := map (fun i => map (fun j => sum (fun p => gave i 0 p * gave j 0 p)%Z) places) places in
  let s i j := nth j (nth i boths []) 0%Z in
  let two i j := (n * s i j - one i * one j)%Z in
  let three i j k := (n * n * sum (fun p => gave i 0 p * gave j 0 p * gave k 0 p)
    - n * (one i * s j k + one j * s i k + one k * s i j) + 2 * one i * one j * one k)%Z in
  all_cells judges trios delta better n one two three cuts.

(** The most that a condition is in a cell, as a share of all questions. *)
Definition largest_of (w : Q) (e : ends) : Q := Qmax (w * fst e) (w * snd e).
Definition most_of (l : nat) (rates : list (ends * ends)) (c : term) : Q :=
  match c with
  | Asked w o => if Nat.eqb o l then inject_Z w else 0
  | Gave w o i r => if Nat.eqb o l then
      let e := (if Nat.eqb l 0 then fst else snd) (nth i rates ((0, 1), (0, 1))) in
      largest_of (inject_Z w) (match r with 0%nat => e | 1%nat => (1 - snd e, 1 - fst e) | _ => (0, 1) end) else 0
  end.
Definition most_in (c : cell) (condition : list term) : Q :=
  let sum l := fold_right (fun t rest => most_of l (snd c) t + rest) 0 condition in
  let at_share p := p * sum 0%nat + (1 - p) * sum 1%nat in
  Qmax (at_share (fst (fst c))) (at_share (snd (fst c))).
Definition outside (conditions : list (list term)) (c : cell) : bool :=
  existsb (fun condition => negb (Qle_bool 0 (most_in c condition))) conditions.
(** Votes of two answers, and cuts from 1 to n. *)
Definition cover (n : Z) (cuts : list Z) : bool :=
  (last cuts 1 =? n)%Z && forallb (fun c => (1 <=? c) && (c <=? n))%Z cuts.
Definition two_answers (judges : nat) (votes : counted) : bool :=
  forallb (fun v => forallb (fun i => Nat.ltb (nth i (fst v) O) 2) (seq 0 judges)) votes.

(** A trio that is found is one of different judges, in order. *)
Lemma any_trio_means : forall judges f, any_trio judges f = true ->
  exists i j k, (i < j)%nat /\ (j < k)%nat /\ (k < judges)%nat /\ f i j k = true.
Proof.
  intros judges f h. unfold any_trio in h. apply existsb_exists in h. destruct h as [i [hi h]].
  apply existsb_exists in h. destruct h as [j [hj h]]. apply existsb_exists in h. destruct h as [k [hk h]].
  apply in_seq in hi, hj, hk. exists i, j, k. repeat split; try lia. exact h.
Qed.
