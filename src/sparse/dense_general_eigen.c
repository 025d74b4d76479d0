// SPDX-License-Identifier: MIT
// Eigenvalues by balancing, Hessenberg form and the implicit QR iteration with two shifts (linearisation.10);
// eigenvectors by inverse iteration on a complex LU factor.
#include "sparse/dense_general_eigen.h"
#include "math/elementary.h"
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double complex number;

// ---- reduction --------------------------------------------------------------------------------------------------

// Similar matrix whose rows and columns have like sizes: diagonal scaling by powers of two, so without rounding.
static void balance(int n, double *A)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < n; i++) {
            double row = 0.0, column = 0.0, factor = 1.0;
            for (int j = 0; j < n; j++) {
                row += j != i ? fabs(A[i * n + j]) : 0.0;
                column += j != i ? fabs(A[j * n + i]) : 0.0;
            }
            if (!(row > 0.0 && column > 0.0)) {
                continue;
            }
            double sum = row + column;
            for (; column * 2.0 < row; column *= 4.0) {
                factor *= 2.0;
            }
            for (; column > row * 2.0; column *= 0.25) {
                factor *= 0.5;
            }
            if ((column / factor + row / factor) >= 0.95 * sum) {
                continue;
            }
            changed = true;
            for (int j = 0; j < n; j++) {
                A[i * n + j] /= factor;
                A[j * n + i] *= factor;
            }
        }
    }
}

// Reflection 1 - beta u u^T that turns x (count) into a multiple of its first unit vector; u replaces x.
static double reflector(int count, double *x)
{
    double scale = 0.0, sum = 0.0;
    for (int i = 0; i < count; i++) {
        scale = fmax(scale, fabs(x[i]));
    }
    if (!(scale > 0.0)) {
        return 0.0;
    }
    for (int i = 0; i < count; i++) {
        x[i] /= scale;
        sum += x[i] * x[i];
    }
    x[0] += copysign(sqrt(sum), x[0]);
    // u.u = 2 |x| (|x| + |x0|) = 2 |x| |u0|
    return 1.0 / (sqrt(sum) * fabs(x[0]));
}

// Rows first.. of columns from..to times the reflection, from the left.
static void reflect_rows(int n, double *A, const double *u, double beta, int first, int count, int from,
                         int to)
{
    for (int j = from; j <= to; j++) {
        double sum = 0.0;
        for (int i = 0; i < count; i++) {
            sum += u[i] * A[(first + i) * n + j];
        }
        for (int i = 0; i < count; i++) {
            A[(first + i) * n + j] -= beta * sum * u[i];
        }
    }
}

static void reflect_columns(int n, double *A, const double *u, double beta, int first, int count, int from,
                            int to)
{
    for (int j = from; j <= to; j++) {
        double sum = 0.0;
        for (int i = 0; i < count; i++) {
            sum += u[i] * A[j * n + first + i];
        }
        for (int i = 0; i < count; i++) {
            A[j * n + first + i] -= beta * sum * u[i];
        }
    }
}

static void to_hessenberg(int n, double *A, double *u)
{
    for (int k = 0; k + 2 < n; k++) {
        for (int i = k + 1; i < n; i++) {
            u[i - k - 1] = A[i * n + k];
        }
        double beta = reflector(n - k - 1, u);
        reflect_rows(n, A, u, beta, k + 1, n - k - 1, k, n - 1);
        reflect_columns(n, A, u, beta, k + 1, n - k - 1, 0, n - 1);
        for (int i = k + 2; i < n; i++) {
            A[i * n + k] = 0.0;
        }
    }
}

// ---- iteration ----------------------------------------------------------------------------------------------------

// The two eigenvalues of [a b; c d], without cancellation.
static void two_by_two(double a, double b, double c, double d, double *re, double *im)
{
    double half = 0.5 * (a - d), cross = b * c, under = half * half + cross;
    im[0] = im[1] = 0.0;
    // a pair that is equal but for rounding does not oscillate
    if (under < 0.0 && sqrt(-under) <= 1e-12 * fabs(d + half)) {
        re[0] = re[1] = d + half;
    } else if (under >= 0.0) {
        double z = half + copysign(sqrt(under), half);
        re[0] = d + z;
        re[1] = z != 0.0 ? d - cross / z : d;
    } else {
        re[0] = re[1] = d + half;
        im[0] = -sqrt(-under);
        im[1] = -im[0];
    }
}

// Two shifts: the eigenvalues of [first b; c second] with cross = b c.
typedef struct {
    double first, second, cross;
} shifts;

// One sweep on rows and columns low..high. The shifts enter by their differences from the diagonal: where all
// eigenvalues of a block are equal, squares and products would leave nothing but rounding.
static void double_step(int n, double *H, int low, int high, shifts s)
{
    double a = H[low * n + low], b = H[(low + 1) * n + low + 1];
    double down = H[(low + 1) * n + low];
    double x[3] = { (a - s.first) * (a - s.second) - s.cross + H[low * n + low + 1] * down,
                    down * ((a - s.first) + (b - s.second)), down * H[(low + 2) * n + low + 1] };
    for (int k = low; k < high; k++) {
        int count = k + 2 <= high ? 3 : 2;
        double u[3] = { x[0], x[1], x[2] };
        double beta = reflector(count, u);
        reflect_rows(n, H, u, beta, k, count, k > low ? k - 1 : low, high);
        reflect_columns(n, H, u, beta, k, count, low, k + 3 <= high ? k + 3 : high);
        // the bulge left of the diagonal is gone, the next one starts below
        for (int i = 1; k > low && i < count; i++) {
            H[(k + i) * n + k - 1] = 0.0;
        }
        for (int i = 0; i < 3; i++) {
            x[i] = k + 1 + i <= high ? H[(k + 1 + i) * n + k] : 0.0;
        }
    }
}

// First row of the block that ends at `high`: what is above is uncoupled.
static int block_start(int n, double *H, int high, double size)
{
    int low = high;
    for (; low > 0; low--) {
        double near = fabs(H[low * n + low]) + fabs(H[(low - 1) * n + low - 1]);
        near = near > 0.0 ? near : size;
        if (fabs(H[low * n + low - 1]) <= DBL_EPSILON * near) {
            H[low * n + low - 1] = 0.0;
            break;
        }
    }
    return low;
}

static bool iterate(int n, double *H, double *re, double *im)
{
    enum { PATIENCE = 60, STALL = 10 };
    double size = 0.0;
    for (int i = 0; i < n * n; i++) {
        size = fmax(size, fabs(H[i]));
    }
    int high = n - 1, tries = 0;
    while (high >= 0) {
        int low = block_start(n, H, high, size);
        if (low == high) {
            re[high] = H[high * n + high];
            im[high] = 0.0;
            high--;
            tries = 0;
        } else if (low == high - 1) {
            two_by_two(H[low * n + low], H[low * n + high], H[high * n + low], H[high * n + high], &re[low],
                       &im[low]);
            high -= 2;
            tries = 0;
        } else if (tries++ > PATIENCE) {
            return false;
        } else {
            double d = H[high * n + high];
            shifts s = { H[(high - 1) * n + high - 1], d, H[(high - 1) * n + high] * H[high * n + high - 1] };
            if (tries % STALL == 0) {
                // shifts that are unlike the others break a cycle
                double odd = fabs(H[high * n + high - 1]) + fabs(H[(high - 1) * n + high - 2]);
                s = (shifts){ d + 0.75 * odd, d + 0.75 * odd, -0.4375 * odd * odd };
            }
            double_step(n, H, low, high, s);
        }
    }
    return true;
}

static void sort_pairs(int n, double *re, double *im)
{
    for (int k = 1; k < n; k++) {
        double r = re[k], i = im[k];
        int j = k;
        for (; j > 0 && (re[j - 1] > r || (re[j - 1] == r && im[j - 1] > i)); j--) {
            re[j] = re[j - 1];
            im[j] = im[j - 1];
        }
        re[j] = r;
        im[j] = i;
    }
}

static bool is_finite(int count, const double *x)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

bool dense_eigenvalues(int n, const double *A, double *re, double *im)
{
    size_t count = (size_t)n * (size_t)n;
    double *H = malloc((count + (size_t)n + 1) * sizeof *H);
    bool ok = H && is_finite(n * n, A);
    if (ok) {
        memcpy(H, A, count * sizeof *H);
        balance(n, H);
        to_hessenberg(n, H, H + count);
        ok = iterate(n, H, re, im);
    }
    if (ok) {
        sort_pairs(n, re, im);
    }
    free(H);
    return ok;
}

// ---- eigenvectors -----------------------------------------------------------------------------------------------------

// LU with row exchanges in place; zero pivots become tiny ones, which is what inverse iteration wants.
static void factor(int n, number *B, int *pivot, double tiny)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = cabs(B[i * n + k]) > cabs(B[best * n + k]) ? i : best;
        }
        pivot[k] = best;
        for (int j = 0; j < n && best != k; j++) {
            number swap = B[k * n + j];
            B[k * n + j] = B[best * n + j];
            B[best * n + j] = swap;
        }
        if (cabs(B[k * n + k]) < tiny) {
            B[k * n + k] = tiny;
        }
        for (int i = k + 1; i < n; i++) {
            B[i * n + k] /= B[k * n + k];
            for (int j = k + 1; j < n; j++) {
                B[i * n + j] -= B[i * n + k] * B[k * n + j];
            }
        }
    }
}

// Several equal eigenvalues make several tiny pivots, which multiply: x is kept in range. Only its direction counts.
static void solve(int n, const number *B, const int *pivot, number *x)
{
    static const double huge = 1e100;
    for (int k = 0; k < n; k++) {
        number swap = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = swap;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            x[i] -= B[i * n + j] * x[j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            x[i] -= B[i * n + j] * x[j];
        }
        x[i] /= B[i * n + i];
        double size = cabs(x[i]);
        for (int j = 0; j < n && size > huge; j++) {
            x[j] /= size;
        }
    }
}

// Largest component to one.
static void normalise(int n, number *x)
{
    int best = 0;
    for (int i = 1; i < n; i++) {
        // the first of equals wins, whatever the rounding
        best = cabs(x[i]) > (1.0 + 1e-9) * cabs(x[best]) ? i : best;
    }
    number largest = x[best];
    for (int i = 0; i < n; i++) {
        x[i] = i == best ? 1.0 : x[i] / largest;
    }
}

// Work of all eigenvectors.
typedef struct {
    int n;
    const double *A, *re, *im;
    number *B;            // A - lambda, factored        (n * n)
    number *x;            // the vector in the making    (n)
    int *pivot;           // of B                        (n)
    double *X_re, *X_im;  // the vectors, by rows        (n * n each)
    double size, fastest; // largest entry of A, largest eigenvalue
} vectors;

static bool are_equal(const vectors *v, int j, int k)
{
    double apart = math_hypot(v->re[j] - v->re[k], v->im[j] - v->im[k]);
    return apart <= 1e-9 * math_hypot(v->re[k], v->im[k]) + 1e-12 * v->fastest;
}

// Takes the part along the vectors before k of the same eigenvalue out of x; gives how many there are.
static int make_new(const vectors *v, int k, number *x)
{
    int n = v->n, found = 0;
    for (int j = 0; j < k; j++) {
        if (!are_equal(v, j, k)) {
            continue;
        }
        const double *re = &v->X_re[j * n], *im = &v->X_im[j * n];
        number along = 0.0;
        double square = 0.0;
        for (int i = 0; i < n; i++) {
            along += (re[i] - im[i] * I) * x[i];
            square += re[i] * re[i] + im[i] * im[i];
        }
        for (int i = 0; i < n; i++) {
            x[i] -= along / square * (re[i] + im[i] * I);
        }
        found++;
    }
    return found;
}

// A x = lambda x, far better than any vector that is not one of this eigenvalue.
static bool is_eigenvector(const vectors *v, int k, const number *x)
{
    int n = v->n;
    for (int i = 0; i < n; i++) {
        number rest = -(v->re[k] + v->im[k] * I) * x[i];
        for (int j = 0; j < n; j++) {
            rest += v->A[i * n + j] * x[j];
        }
        if (!(cabs(rest) <= 1e-11 * v->size)) {
            return false;
        }
    }
    return true;
}

typedef enum { ANY_VECTOR, NEW_VECTOR } which_vector;

static void iterate_vector(vectors *v, int k, which_vector which)
{
    enum { PASSES = 3 };
    int n = v->n;
    for (int i = 0; i < n; i++) {
        // every direction takes part, and a second one of the same eigenvalue in its own way
        v->x[i] = 1.0 + 0.37 * (which == NEW_VECTOR ? (i * (k + 3) + i / 3) % 11 : i % 5);
    }
    for (int pass = 0; pass < PASSES; pass++) {
        solve(n, v->B, v->pivot, v->x);
        normalise(n, v->x);
        // twice: what rounding left of the first time
        for (int again = 0; again < 2 && which == NEW_VECTOR; again++) {
            make_new(v, k, v->x);
            normalise(n, v->x);
        }
    }
}

static bool find_vector(vectors *v, int k)
{
    int n = v->n;
    double *re = &v->X_re[k * n], *im = &v->X_im[k * n];
    for (int i = 0; i < n * n; i++) {
        v->B[i] = v->A[i];
    }
    for (int i = 0; i < n; i++) {
        v->B[i * n + i] -= v->re[k] + v->im[k] * I;
        v->x[i] = 0.0;
    }
    double size = fmax(v->size, math_hypot(v->re[k], v->im[k]));
    factor(n, v->B, v->pivot, DBL_EPSILON * (size > 0.0 ? size : 1.0));
    if (make_new(v, k, v->x) > 0) {
        iterate_vector(v, k, NEW_VECTOR);
    }
    // also where an eigenvalue has fewer vectors than its multiple: the same one again
    if (v->x[0] == 0.0 || !is_eigenvector(v, k, v->x)) {
        iterate_vector(v, k, ANY_VECTOR);
    }
    for (int i = 0; i < n; i++) {
        re[i] = creal(v->x[i]);
        im[i] = cimag(v->x[i]);
    }
    return is_finite(n, re) && is_finite(n, im);
}

bool dense_eigenvectors(int n, const double *A, const double *re, const double *im, double *X_re,
                        double *X_im)
{
    size_t count = (size_t)n * (size_t)n;
    vectors v = { .n = n, .A = A, .re = re, .im = im, .X_re = X_re, .X_im = X_im };
    v.B = malloc((count + (size_t)n + 1) * sizeof *v.B);
    v.pivot = malloc(((size_t)n + 1) * sizeof *v.pivot);
    bool ok = v.B && v.pivot && is_finite(n * n, A);
    for (int i = 0; i < n * n && ok; i++) {
        v.size = fmax(v.size, fabs(A[i]));
    }
    for (int k = 0; k < n; k++) {
        v.fastest = fmax(v.fastest, math_hypot(re[k], im[k]));
    }
    v.x = v.B + count;
    for (int k = 0; k < n && ok; k++) {
        ok = find_vector(&v, k);
    }
    free(v.B);
    free(v.pivot);
    return ok;
}
