; Members with different scattered levels hold different rows.
;
; Source: p2smt/reduction/semantics/README.md, section 3.1
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const L1 Bool)
(declare-const L2 Bool)
(declare-const L3 Bool)
(declare-const d1 (_ BitVec 16))
(declare-const d2 (_ BitVec 16))
(declare-const d3 (_ BitVec 16))
(declare-const e1 (_ BitVec 16))
(declare-const e2 (_ BitVec 16))
(declare-const e3 (_ BitVec 16))
(declare-const dF1 Bool)
(declare-const dF2 Bool)
(declare-const dF3 Bool)
(declare-const eF1 Bool)
(declare-const eF2 Bool)
(declare-const eF3 Bool)
(declare-const size1 (_ BitVec 16))
(declare-const size2 (_ BitVec 16))
(declare-const size3 (_ BitVec 16))

; Sizes are at least 2, digits are below them.
(define-fun t0 () Bool (bvuge size1 #x0002))
(assert t0)
(define-fun t1 () Bool (bvuge size2 #x0002))
(assert t1)
(define-fun t2 () Bool (bvuge size3 #x0002))
(assert t2)
(assert (bvult d1 size1))
(assert (bvult d2 size2))
(assert (bvult d3 size3))
(assert (bvult e1 size1))
(assert (bvult e2 size2))
(assert (bvult e3 size3))

; d and e are in one group along L.
(assert (and (or (not (not L1)) (= d1 e1)) (or (not (not L2)) (= d2 e2)) (or (not (not L3)) (= d3 e3))))

; The claim does not hold.
(define-fun t3 () Bool (not dF1))
(define-fun t4 () Bool (not dF2))
(define-fun t5 () Bool (not dF3))
(define-fun t6 () Bool (not eF1))
(define-fun t7 () (_ BitVec 16) (ite (and dF1 t6) (ite (= d1 #x0000) #x0001 #x0000) e1))
(define-fun t8 () Bool (not eF2))
(define-fun t9 () (_ BitVec 16) (ite (and dF2 t8) (ite (= d2 #x0000) #x0001 #x0000) e2))
(define-fun t10 () Bool (not eF3))
(define-fun t11 () (_ BitVec 16) (ite (and dF3 t10) (ite (= d3 #x0000) #x0001 #x0000) e3))
(define-fun t12 () Bool (and (and (or t6 (= t7 e1)) (or t8 (= t9 e2)) (or t10 (= t11 e3))) (not (and (or t3 (= t7
  d1)) (or t4 (= t9 d2)) (or t5 (= t11 d3)))) (and t0 t1 t2 (bvult t7 size1) (bvult t9 size2) (bvult t11 size3))))
(assert (not (or (and (or t3 eF1) (or t4 eF2) (or t5 eF3)) t12)))

(check-sat)
