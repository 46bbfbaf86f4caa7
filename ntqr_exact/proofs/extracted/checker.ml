(* Reads questions of words, a line each, and answers them by the functions that Coq extracted.

   trio C C C C C C C C      counts from aaa to bbb: the alarms that fire, 1 or 0 each, the class, whether a key exists,
                             and whether no alarm fires
   single SPECIFICATION      whether the alarm of single judges fires
   joint SPECIFICATION LIMITS TREE      whether the proof is accepted

   SPECIFICATION: list of factors (s t), grade (n d), list of judges, list of votes (list of answers, count).
   LIMITS: list of (label low high). TREE: leaf (list of parts: list of members (judge, list of weights, anywhere), list of
   prices), or split (questions L | right J L | among (list of judges) (list of answers) L) AT BELOW ABOVE.
   A list is its length, then its elements. *)

open Ntqr_proven

let words = ref []
let next () = match !words with
  | word :: rest -> words := rest; word
  | [] -> failwith "the line ends too early"

let rec nat_of n = if n <= 0 then O else S (nat_of (n - 1))
let rec small n = if n = 0 then Z0 else Z.add (small (n - 1)) (Zpos XH)
let ten = small 10
let z_of text =
  let negative = text.[0] = '-' in
  let digits = if negative then String.sub text 1 (String.length text - 1) else text in
  let value = String.fold_left
    (fun acc c -> if c < '0' || c > '9' then failwith text else Z.add (Z.mul acc ten) (small (Char.code c - 48)))
    Z0 digits in
  if negative then Z.opp value else value

let z () = z_of (next ())
let nat () = nat_of (int_of_string (next ()))
let list read = let n = int_of_string (next ()) in List.init n (fun _ -> read ())
let pair one two () = let first = one () in let second = two () in (first, second)

let part () =
  let members = list (fun () ->
    let who = nat () in let weights = list z in let anywhere = z () in
    { who_is = who; weights = weights; anywhere = anywhere }) in
  { members = members; prices = list z }

let quantity () = match next () with
  | "questions" -> Questions (nat ())
  | "right" -> let j = nat () in Right (j, nat ())
  | "among" -> let group = list nat in let pattern = list nat in Among (group, pattern, nat ())
  | word -> failwith word

let rec tree () = match next () with
  | "leaf" -> Leaf (list part)
  | "split" -> let x = quantity () in let at = z () in let below = tree () in Split (x, at, below, tree ())
  | word -> failwith word

let shown b = if b then "1" else "0"
let rec int_of_positive = function XH -> 1 | XO p -> 2 * int_of_positive p | XI p -> 2 * int_of_positive p + 1
let int_of = function Z0 -> 0 | Zpos p -> int_of_positive p | Zneg p -> - int_of_positive p

let answer () = match next () with
  | "trio" ->
    let aaa = z () in let aab = z () in let aba = z () in let abb = z () in
    let baa = z () in let bab = z () in let bba = z () in let bbb = z () in
    let v = { aaa; aab; aba; abb; baa; bab; bba; bbb } in
    String.concat " " (List.map (fun alarm -> shown (alarm v))
      [negative_product; imaginary; irrational; no_root; contradiction; out_of_range; not_whole]
      @ [string_of_int (int_of (class_of v)); shown (decide v); shown (silent v)])
  | ("single" | "joint") as kind ->
    let factors = list (pair z z) in
    let grade = pair z z () in
    let judges = list nat in
    let votes = list (pair (fun () -> list nat) z) in
    if kind = "single" then shown (single_alarm factors judges votes)
    else
      let limits = list (pair nat (pair z z)) in
      shown (proves factors grade judges votes limits (tree ()))
  | word -> failwith word

let () =
  try
    while true do
      words := List.filter (fun word -> word <> "") (String.split_on_char ' ' (input_line stdin));
      print_endline (answer ())
    done
  with End_of_file -> ()
