; Where the group varies along a level that d has merged, another member holds a contribution of d's.
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
(declare-const dF1 Bool)
(declare-const dF2 Bool)
(declare-const dF3 Bool)
(declare-const dM1 Bool)
(declare-const dM2 Bool)
(declare-const dM3 Bool)
(declare-const eM1 Bool)
(declare-const eM2 Bool)
(declare-const eM3 Bool)
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

; The group varies along no scattered level.
(assert (and (not (and L1 dF1)) (not (and L2 dF2)) (not (and L3 dF3))))

; The claim does not hold.
(define-fun t3 () Bool (and L1 dM1))
(define-fun t4 () Bool (and L2 dM2))
(define-fun t5 () Bool (and L3 dM3))
(define-fun t6 () Bool (not dF1))
(define-fun t7 () Bool (not dF2))
(define-fun t8 () Bool (not dF3))
(define-fun t9 () (_ BitVec 16) (ite t3 (ite (= d1 #x0000) #x0001 #x0000) d1))
(define-fun t10 () (_ BitVec 16) (ite t4 (ite (= d2 #x0000) #x0001 #x0000) d2))
(define-fun t11 () (_ BitVec 16) (ite t5 (ite (= d3 #x0000) #x0001 #x0000) d3))
(define-fun t12 () Bool (= d1 t9))
(define-fun t13 () Bool (= d2 t10))
(define-fun t14 () Bool (= d3 t11))
(define-fun t15 () Bool (and (and (and (or t6 (= d1 d1)) (or t7 (= d2 d2)) (or t8 (= d3 d3))) (and (or (not (not
  dM1)) (= t9 d1)) (or (not (not dM2)) (= t10 d2)) (or (not (not dM3)) (= t11 d3)))) (and (and (or t6 t12) (or t7
  t13) (or t8 t14)) (and (or (not (not eM1)) (= t9 t9)) (or (not (not eM2)) (= t10 t10)) (or (not (not eM3)) (= t11
  t11)))) (and (and t0 t1 t2 (bvult t9 size1) (bvult t10 size2) (bvult t11 size3)) (and (or (not (not L1)) t12) (or
  (not (not L2)) t13) (or (not (not L3)) t14)) (not (and t12 t13 t14)))))
(assert (not (or (and (not t3) (not t4) (not t5)) t15)))

(check-sat)
