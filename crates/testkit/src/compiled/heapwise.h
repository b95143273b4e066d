#define hw_assert_acyclic(x) ((void)(x))
#define hw_assert_dll(x) ((void)(x))
#define hw_assert_tree(x) ((void)(x))
#define hw_assert_disjoint(x,y) ((void)(x),(void)(y))
