; (none, none) is a device's own contribution to every chunk; (none, all levels) is everything.
;
; Source: p2smt/reduction/semantics/README.md, section 2
; Sat: the assumptions can hold together (files called `possible`); in all others, the lemma is wrong.
; Unsat: the lemma holds for levels of every size.
; Built by: p2smt.reduction.catalogue.lemmas.lemmas
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const c1 (_ BitVec 16))
(declare-const c2 (_ BitVec 16))
(declare-const d1 (_ BitVec 16))
(declare-const d2 (_ BitVec 16))
(declare-const j1 (_ BitVec 16))
(declare-const j2 (_ BitVec 16))
(declare-const size1 (_ BitVec 16))
(declare-const size2 (_ BitVec 16))

; Sizes are at least 2, digits are below them.
(assert (bvuge size1 #x0002))
(assert (bvuge size2 #x0002))
(assert (bvult d1 size1))
(assert (bvult d2 size2))
(assert (bvult c1 size1))
(assert (bvult c2 size2))
(assert (bvult j1 size1))
(assert (bvult j2 size2))

; The claim does not hold.
(assert (not (= (and (= j1 d1) (= j2 d2)) (and (= d1 j1) (= d2 j2)))))

(check-sat)
