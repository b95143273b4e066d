//@ engines: explicit; verdict: clean
#include <stdio.h>
#include <stdlib.h>

struct tree { int key; struct tree *left, *right; };

int main(void) {
    int first, second;
    if (scanf("%d%d", &first, &second) != 2) return 1;
    struct tree *root = calloc(1, sizeof *root);
    if (root == NULL) return 1;
    root->key = first;
    if (second < first) root->left = calloc(1, sizeof *root);
    if (second > first) root->right = calloc(1, sizeof *root);
    free(root->left);
    free(root->right);
    free(root);
    return 0;
}
