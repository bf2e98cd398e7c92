; Where the group varies along a scattered level, not all members hold the same rows.
;
; Source: p2smt/reduction/semantics/README.md, section 3.1
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
(define-fun t2 () Bool (and L1 dF1))
(define-fun t3 () Bool (and L2 dF2))
(define-fun t4 () Bool (not dF1))
(define-fun t5 () Bool (not dF2))
(define-fun t6 () (_ BitVec 16) (ite t2 (ite (= d1 #x0000) #x0001 #x0000) d1))
(define-fun t7 () Bool (= d1 t6))
(define-fun t8 () (_ BitVec 16) (ite t3 (ite (= d2 #x0000) #x0001 #x0000) d2))
(define-fun t9 () Bool (= d2 t8))
(define-fun t10 () Bool (and (and (or t4 (= d1 d1)) (or t5 (= d2 d2))) (not (and (or t4 t7) (or t5 t9))) (and (and
  t0 t1 (bvult t6 size1) (bvult t8 size2)) (and (or (not (not L1)) t7) (or (not (not L2)) t9)) (not (and t7 t9)))))
(assert (not (or (and (not t2) (not t3)) t10)))

(check-sat)
