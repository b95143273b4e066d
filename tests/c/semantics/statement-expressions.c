//@ differential
#include <stdio.h>

#define max(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })
#define swap(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)

struct s { int v[3]; };

int main(void)
{
    int i = 3, j = 4;
    printf("%d ", max(i++, j));
    printf("%d\n", max(max(1, 9), max(3, j++)));
    printf("%d %d\n", i, j);
    swap(i, j);
    printf("%d %d\n", i, j);
    int total = ({
        int sum = 0;
        for (int k = 0; k < 5; k++) {
            if (k == 3)
                continue;
            sum += k;
        }
        sum;
    });
    printf("%d\n", total);
    struct s s = ({ struct s t = { { 1, 2, 3 } }; t.v[1] = total; t; });
    printf("%d\n", s.v[1]);
    int r = ({ if (s.v[0]) goto out; 5; });
    printf("not here %d\n", r);
out:
    return ({ int z = 12; z / 4; });
}
