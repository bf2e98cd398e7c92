; Where the group varies along a level that d has not scattered, another member holds a row of d's.
;
; Source: p2smt/reduction/semantics/README.md, section 3.2
; Sat: the assumptions can hold together (files called `possible`); in all others, the lemma is wrong.
; Unsat: the lemma holds for levels of every size.
; Built by: p2smt.reduction.catalogue.lemmas.lemmas
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const L1 Bool)
(declare-const L2 Bool)
(declare-const d1 (_ BitVec 16))
(declare-const d2 (_ BitVec 16))
(declare-const dF1 Bool)
(declare-const dF2 Bool)
(declare-const eF1 Bool)
(declare-const eF2 Bool)
(declare-const size1 (_ BitVec 16))
(declare-const size2 (_ BitVec 16))

; Sizes are at least 2, digits are below them.
(define-fun t0 () Bool (bvuge size1 #x0002))
(assert t0)
(define-fun t1 () Bool (bvuge size2 #x0002))
(assert t1)
(assert (bvult d1 size1))
(assert (bvult d2 size2))

; The claim does not hold.
(define-fun t2 () Bool (not L1))
(define-fun t3 () Bool (not L2))
(define-fun t4 () Bool (not dF1))
(define-fun t5 () (_ BitVec 16) (ite (and L1 t4) (ite (= d1 #x0000) #x0001 #x0000) d1))
(define-fun t6 () Bool (not dF2))
(define-fun t7 () (_ BitVec 16) (ite (and L2 t6) (ite (= d2 #x0000) #x0001 #x0000) d2))
(define-fun t8 () Bool (= d1 t5))
(define-fun t9 () Bool (= d2 t7))
(define-fun t10 () Bool (and (and (or t4 (= t5 d1)) (or t6 (= t7 d2))) (and (or (not eF1) (= t5 t5)) (or (not eF2)
  (= t7 t7))) (and (and t0 t1 (bvult t5 size1) (bvult t7 size2)) (and (or (not t2) t8) (or (not t3) t9)) (not (and
  t8 t9)))))
(assert (not (or (and (or t2 dF1) (or t3 dF2)) t10)))

(check-sat)
