// SPDX-License-Identifier: MIT
// Names of kinds asked of values that are none: NULL, and nothing is found.
#include "support/misuse.h"
#include <biela/biela.h>
#include <biela/flex.h>
#include <biela/look.h>
#include <biela/names.h>

// Values that name no scheme.
static const bi_scheme no_scheme[] = { (bi_scheme)-1, (bi_scheme)1000 };
static const bi_joint_kind no_joint[] = { (bi_joint_kind)-1, (bi_joint_kind)0, (bi_joint_kind)1000 };

static void misuse_schemes(misuse *w)
{
    if (misuse_of(w, "bi_scheme_count")) {
        EXPECT(w, bi_scheme_count() > 0);
    }
    if (misuse_of(w, "bi_scheme_find")) {
        EXPECT(w, bi_scheme_find(NULL) == -1 && bi_scheme_find("") == -1 && bi_scheme_find("ali3") == -1);
    }
    for (int k = 0; k < 2; k++) {
        if (misuse_of(w, "bi_scheme_name")) {
            EXPECT(w, !bi_scheme_name(no_scheme[k]));
        }
        if (misuse_of(w, "bi_scheme_also")) {
            EXPECT(w, !bi_scheme_also(no_scheme[k]));
        }
        if (misuse_of(w, "bi_scheme_help")) {
            EXPECT(w, !bi_scheme_help(no_scheme[k]));
        }
        if (misuse_of(w, "bi_scheme_order")) {
            EXPECT(w, bi_scheme_order(no_scheme[k]) == 0);
        }
        if (misuse_of(w, "bi_scheme_is_damped")) {
            EXPECT(w, !bi_scheme_is_damped(no_scheme[k]));
        }
        if (misuse_of(w, "bi_scheme_is_explicit")) {
            EXPECT(w, !bi_scheme_is_explicit(no_scheme[k]));
        }
        if (misuse_of(w, "bi_scheme_chooses_steps")) {
            EXPECT(w, !bi_scheme_chooses_steps(no_scheme[k]));
        }
    }
}

static void misuse_coordinates(misuse *w)
{
    if (misuse_of(w, "bi_coordinates_count")) {
        EXPECT(w, bi_coordinates_count() > 0);
    }
    if (misuse_of(w, "bi_coordinates_find")) {
        EXPECT(w, bi_coordinates_find(NULL) == -1 && bi_coordinates_find("") == -1);
    }
    if (misuse_of(w, "bi_coordinates_name")) {
        EXPECT(w, !bi_coordinates_name((bi_coordinates)-1) && !bi_coordinates_name((bi_coordinates)1000));
    }
}

static void misuse_joint_kinds(misuse *w)
{
    if (misuse_of(w, "bi_joint_kind_count")) {
        EXPECT(w, bi_joint_kind_count() > 0);
    }
    if (misuse_of(w, "bi_joint_kind_find")) {
        EXPECT(w, bi_joint_kind_find(NULL) == 0 && bi_joint_kind_find("") == 0 &&
                      bi_joint_kind_find("hinge") == 0);
    }
    if (misuse_of(w, "bi_fe_is_beam")) {
        EXPECT(w, !bi_fe_is_beam((bi_fe_kind)-1) && !bi_fe_is_beam((bi_fe_kind)1000));
    }
    for (int k = 0; k < 3; k++) {
        if (misuse_of(w, "bi_joint_kind_name")) {
            EXPECT(w, !bi_joint_kind_name(no_joint[k]));
        }
        if (misuse_of(w, "bi_joint_kind_help")) {
            EXPECT(w, !bi_joint_kind_help(no_joint[k]));
        }
        if (misuse_of(w, "bi_joint_kind_takes")) {
            EXPECT(w, bi_joint_kind_takes(no_joint[k]) == 0);
        }
        if (misuse_of(w, "bi_joint_kind_coordinate")) {
            EXPECT(w, !bi_joint_kind_coordinate(no_joint[k], 0) &&
                          !bi_joint_kind_coordinate(BI_REVOLUTE, -1) &&
                          !bi_joint_kind_coordinate(BI_REVOLUTE, 99));
        }
        if (misuse_of(w, "bi_joint_kind_unit")) {
            EXPECT(w, !bi_joint_kind_unit(no_joint[k], 0) && !bi_joint_kind_unit(BI_REVOLUTE, -1) &&
                          !bi_joint_kind_unit(BI_REVOLUTE, 99));
        }
    }
}

static void misuse_names(misuse *w)
{
    if (misuse_of(w, "bi_shape_type_name")) {
        EXPECT(w, !bi_shape_type_name((bi_shape_type)0) && !bi_shape_type_name((bi_shape_type)99) &&
                      !bi_shape_type_name((bi_shape_type)-1));
    }
    if (misuse_of(w, "bi_strut_type_name")) {
        EXPECT(w, !bi_strut_type_name(BI_STRUT_NONE) && !bi_strut_type_name((bi_strut_type)99));
    }
    if (misuse_of(w, "bi_finish_name")) {
        EXPECT(w, bi_finish_name(BI_FINISH_PLAIN) && bi_finish_name(BI_FINISH_PAINT));
        EXPECT(w, !bi_finish_name((bi_finish)0) && !bi_finish_name((bi_finish)99) &&
                      !bi_finish_name((bi_finish)-1));
    }
}

static void misuse_everything(misuse *w)
{
    misuse_schemes(w);
    misuse_coordinates(w);
    misuse_joint_kinds(w);
    misuse_names(w);
}

static void test_values_of_no_kind_have_no_name(void **state)
{
    (void)state;
    misuse_all(misuse_everything);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_of_no_kind_have_no_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
