//@ engines: tvl; verdict: safe
/* A recursive insertion is its own client: the link that it overwrites is not followed through the call. */
#include <heapwise.h>
#include <stdlib.h>
struct t { struct t *left, *right; int k; };
struct t *leaf(int k) {
  hw_ensures("result != NULL && fresh(result) && tree(result) && result->left == NULL && result->right == NULL");
  hw_ensures("forall v: reach(result, v) ==> v == result");
  struct t *n = malloc(sizeof *n); if (!n) abort(); n->k = k; n->left = n->right = NULL; return n; }
struct t *insert(struct t *r, int k) {
  hw_requires("tree(r)");
  hw_ensures("tree(result) && result != NULL");
  hw_ensures("forall v: reach(result, v) <==> old(reach(r, v)) || fresh(v)");
  if (!r) return leaf(k);
  if (k < r->k) r->left = insert(r->left, k); else r->right = insert(r->right, k);
  return r; }
void destroy(struct t *r) {
  hw_requires("tree(r)");
  hw_ensures("forall v: old(reach(r, v)) ==> freed(v)");
  if (!r) return; destroy(r->left); destroy(r->right); free(r); }
int main(void) {
  struct t *r = NULL;
  for (int i = 0; i < 8; i++) r = insert(r, i * 5 % 8);
  destroy(r);
  return 0; }
