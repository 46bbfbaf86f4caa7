(** Printed equations that are wrong: of each there is a test with its key on which it is false.

    Every definition below is an equation as it stands in the paper; its right form is proven in [Postulates], that of
    eq. 40 in [Completeness]. Both labels have questions, so that no rate is undefined. *)

From Coq Require Import ZArith QArith Lia.
From NtqrExact Require Import Keys Postulates Decision Silence.
Open Scope Q_scope.

(** A test with its key in which both labels have questions. *)
Definition both_asked (on_a on_b : table) : Prop := key on_a on_b /\ (0 < size on_a)%Z /\ (0 < size on_b)%Z.
Definition refuted (equation : table -> table -> Prop) : Prop :=
  exists on_a on_b : table, both_asked on_a on_b /\ ~ equation on_a on_b.

Ltac both := repeat split; vm_compute; (reflexivity || discriminate).
Ltac refuted_by s t := exists s, t; split; [both | vm_compute; discriminate].

(** The second line of eq. 16, with R_b where Q_b belongs. *)
Definition printed_16_in_counts on_a on_b : Prop :=
  let votes := add on_a on_b in
  (count1 on_a - (size on_b - count1 on_b) = count1 votes - (size votes - count1 votes))%Z.
Theorem printed_16_in_counts_is_wrong : refuted printed_16_in_counts.
Proof. refuted_by (Table 0 0 0 0 1 0 0 0) (Table 0 0 0 0 0 0 0 1). Qed.

(** Eq. 20, with 2 where 1 belongs (eq. 27 has it right). *)
Definition printed_20 on_a on_b : Prop := agreement on_a on_b First Second ==
  2 - error on_a on_b First - error on_a on_b Second + 2 * joint_error on_a on_b First Second.
Theorem printed_20_is_wrong : refuted printed_20.
Proof. refuted_by (Table 1 0 0 0 0 0 0 0) (Table 0 0 0 0 0 0 0 1). Qed.

(** Eqs. 21 and 31, e_ij = e_i e_j, even if the errors are independent: eq. 32 is right that it fails. *)
Definition errors_multiply on_a on_b : Prop := forall i j, i <> j ->
  joint_error on_a on_b i j == error on_a on_b i * error on_a on_b j.
Theorem errors_multiply_is_wrong : exists on_a on_b,
  both_asked on_a on_b /\ independent on_a /\ independent on_b /\ ~ errors_multiply on_a on_b.
Proof.
  exists (Table 1 0 0 0 0 0 0 0), (Table 1 0 0 0 0 0 0 0).
  split; [both |]. repeat split; try (right; repeat split; vm_compute; reflexivity).
  intro rule. specialize (rule First Second ltac:(discriminate)). vm_compute in rule. discriminate.
Qed.

(** Eq. 23, with 1 - a where 2a - 1 belongs, even if all pairs have e_ij = e_i e_j. With this rule the c of eq. 22 is the
    product of the 1 - 2 e_i ([equation_22]), or minus it, as its other sign has it. *)
Definition printed_23 on_a on_b : Prop :=
  let e := error on_a on_b in let agree := agreement on_a on_b in
  let c := (1 - 2 * e First) * (1 - 2 * e Second) * (1 - 2 * e Third) in
  c * c == (1 - agree First Second) * (1 - agree First Third) * (1 - agree Second Third).
Theorem printed_23_is_wrong : exists on_a on_b,
  both_asked on_a on_b /\ errors_multiply on_a on_b /\ ~ printed_23 on_a on_b.
Proof.
  exists (Table 1 0 0 0 0 0 0 0), (Table 0 0 0 0 0 0 0 1). split; [both |]. split.
  - intros i j _. destruct i, j; vm_compute; reflexivity.
  - vm_compute. discriminate.
Qed.

(** Eq. 28, with the other judge's accuracy on [b]. *)
Definition printed_28 on_a on_b : Prop := error on_a on_b First ==
  1 - prevalence_a on_a on_b * accuracy A First on_a - prevalence_b on_a on_b * accuracy B Second on_b.
Theorem printed_28_is_wrong : refuted printed_28.
Proof. refuted_by (Table 1 0 0 0 0 0 0 0) (Table 0 0 1 0 0 0 0 0). Qed.

(** Eq. 30, without the correlations: said of all errors, right of independent ones. *)
Definition printed_30 on_a on_b : Prop := joint_error on_a on_b First Second ==
  prevalence_a on_a on_b * ((1 - accuracy A First on_a) * (1 - accuracy A Second on_a))
  + prevalence_b on_a on_b * ((1 - accuracy B First on_b) * (1 - accuracy B Second on_b)).
Theorem printed_30_is_wrong : refuted printed_30.
Proof. refuted_by (Table 1 0 0 0 0 0 1 0) (Table 0 0 0 0 0 0 0 1). Qed.

(** Eqs. 33e and 33f, with the correlations of the two labels interchanged. *)
Definition printed_33e on_a on_b : Prop :=
  let u := excess_a on_a on_b in let v := excess_b on_a on_b in let moment := pair_moment on_a on_b First Second in
  u First * v Second * (u First + v First) + u First * (pair_correlation A First Second on_a - moment)
    + v First * (pair_correlation B First Second on_b - moment) == 0.
Theorem printed_33e_is_wrong : refuted printed_33e.
Proof. refuted_by (Table 1 0 0 0 0 0 1 0) (Table 1 0 0 0 0 0 0 0). Qed.
Definition printed_33f on_a on_b : Prop :=
  let u := excess_a on_a on_b in let v := excess_b on_a on_b in let moment := pair_moment on_a on_b First Second in
  u First * v Second * (u Second + v Second) + u Second * (pair_correlation A First Second on_a - moment)
    + v Second * (pair_correlation B First Second on_b - moment) == 0.
Theorem printed_33f_is_wrong : refuted printed_33f.
Proof. refuted_by (Table 1 0 0 0 0 0 1 0) (Table 1 0 0 0 0 0 0 0). Qed.

(** Eq. 40 takes one of two branches: with the positive root of A = T^2 + 4 Delta12 Delta13 Delta23, P_a would be
    (1 - T/root)/2 for every independent key. T is the moment of answering [b], as the paper prints it. *)
Definition printed_t on_a on_b : Q :=
  let f j := frequency1 j B (add on_a on_b) in let moment := pair_moment on_a on_b in
  frequency3 B B B (add on_a on_b) - (f First * f Second * f Third
    + f First * moment Second Third + f Second * moment First Third + f Third * moment First Second).
Definition printed_a on_a on_b : Q :=
  let moment := pair_moment on_a on_b in
  4 * moment First Second * moment First Third * moment Second Third + printed_t on_a on_b * printed_t on_a on_b.
Definition printed_40 on_a on_b (root : Q) : Prop :=
  prevalence_a on_a on_b == (1 # 2) * (1 - printed_t on_a on_b / root).
Theorem printed_40_is_wrong : exists on_a on_b root, both_asked on_a on_b /\ independent on_a /\ independent on_b /\
  0 < root /\ root * root == printed_a on_a on_b /\ ~ printed_40 on_a on_b root.
Proof.
  exists (Table 2 0 0 0 0 0 0 0), (Table 0 0 0 0 0 0 0 1), (2 # 9).
  repeat split; try (vm_compute; (reflexivity || discriminate)); try (right; repeat split; vm_compute; reflexivity).
Qed.

(** "Only one error correlation is consistent": two keys of the same votes with the same prevalence and accuracies
    have different correlations. *)
Theorem one_correlation_is_wrong : exists s t s' t', both_asked s t /\ both_asked s' t' /\ add s t = add s' t' /\
  prevalence_a s t == prevalence_a s' t' /\
  (forall j, accuracy A j s == accuracy A j s' /\ accuracy B j t == accuracy B j t') /\
  ~ pair_correlation A First Second s == pair_correlation A First Second s'.
Proof.
  exists (Table 1 0 0 0 0 0 0 1), (Table 0 0 1 0 0 1 0 0), (Table 0 0 1 0 0 1 0 0), (Table 1 0 0 0 0 0 0 1).
  repeat split; try (destruct j); try (vm_compute; (reflexivity || discriminate)).
Qed.

(** No alarm does not mean that the errors were independent: none of the seven kinds fires on these votes, which have a
    key with independent errors and one without. *)
Theorem silence_proves_nothing : exists on_a on_b, both_asked on_a on_b /\ silent (add on_a on_b) = true /\
  has_independent_key (add on_a on_b) /\ ~ pair_correlation A First Third on_a == 0.
Proof.
  exists (Table 1 0 0 0 0 0 0 1), (Table 0 0 1 0 1 0 1 0). split; [both |].
  split; [vm_compute; reflexivity |]. split.
  - apply decide_iff; vm_compute; reflexivity.
  - vm_compute. discriminate.
Qed.
