"""Numbers printed in the two MORTAR papers, for the tables of `run.py`; nothing is computed from them."""

from __future__ import annotations

SYSTEMS = ("DS1", "DS2", "DS3", "DS4", "DS5", "DS6")
V1_SYSTEMS = ("Qwen2-0.5B", "Qwen2-1.5B", "Qwen2-7B", "Mistral-7B", "Llama-3-8B", "Gemma-2-9B")
PERTURBATIONS = ("DRS", "DRR", "DRD", "DSR", "DSD")

# Later paper. Table I: reference-based testing, 7,983 questions: bugs, effective test cases of 500, positive rate as it
# is printed (6,654 of 7,983 are 83.35 %).
TABLE_I = {
    "DS1": (6_654, 500, 0.833), "DS2": (5_582, 500, 0.699), "DS3": (5_028, 495, 0.630),
    "DS4": (5_014, 500, 0.628), "DS5": (3_042, 485, 0.381), "DS6": (1_999, 470, 0.250),
}  # fmt: skip
# Table III: METAL, MORTAR.
TABLE_III = {
    "seeds": (500, 403), "test cases": (2_000, 2_015), "questions": (31_932, 30_869), "detections": (14_665, 36_908),
}  # fmt: skip
# The table after it: NBugs, RETC, BPTC, Rate+ of METAL, then of MORTAR.
EFFECTIVENESS = {
    "DS1": (12_652, 1.0, 6.326, 0.863, 31_942, 1.0, 15.852, 0.865),
    "DS2": (10_710, 1.0, 5.355, 0.730, 27_799, 1.0, 13.796, 0.753),
    "DS3": (9_754, 1.0, 4.877, 0.665, 24_634, 1.0, 12.225, 0.667),
    "DS4": (9_876, 1.0, 4.938, 0.673, 22_919, 1.0, 11.374, 0.621),
    "DS5": (6_631, 0.998, 3.322, 0.452, 17_264, 1.0, 8.568, 0.468),
    "DS6": (4_199, 0.982, 2.138, 0.286, 12_805, 0.998, 6.371, 0.347),
}
# Table IV: L1, L2, L3, CV of METAL, then of MORTAR.
TABLE_IV = {
    "DS1": (10_903, 1_749, 0, 1.023, 27_723, 4_219, 0, 1.041),
    "DS2": (8_103, 2_607, 0, 0.726, 21_504, 6_295, 0, 0.774),
    "DS3": (7_723, 2_000, 31, 0.832, 19_083, 5_399, 152, 0.790),
    "DS4": (7_463, 2_413, 0, 0.723, 18_716, 4_203, 0, 0.896),
    "DS5": (4_052, 2_490, 89, 0.338, 10_355, 6_664, 245, 0.307),
    "DS6": (2_555, 1_573, 71, 0.336, 6_819, 5_756, 230, 0.120),
}
# Table V: share of unique bugs at L1, L2, L3 and overall: METAL, METAL on the common seeds, MORTAR. Each overall share
# is the mean of the three before it, weighted by the bugs of Table IV, to within 0.1: they are shares of bugs.
TABLE_V = {
    "DS1": ((0.205, 0.229, 0.0, 0.209), (0.010, 0.027, 0.0, 0.012), (0.256, 0.295, 0.0, 0.261)),
    "DS2": ((0.206, 0.276, 0.0, 0.223), (0.013, 0.078, 0.0, 0.029), (0.300, 0.353, 0.0, 0.312)),
    "DS3": ((0.202, 0.321, 0.355, 0.227), (0.015, 0.179, 0.130, 0.050), (0.284, 0.479, 0.651, 0.329)),
    "DS4": ((0.215, 0.380, 0.0, 0.255), (0.026, 0.226, 0.0, 0.075), (0.309, 0.358, 0.0, 0.318)),
    "DS5": ((0.229, 0.436, 0.539, 0.311), (0.049, 0.304, 0.388, 0.149), (0.318, 0.574, 0.620, 0.421)),
    "DS6": ((0.244, 0.498, 0.634, 0.346), (0.055, 0.389, 0.435, 0.188), (0.365, 0.716, 0.770, 0.530)),
    "mean": ((0.216, 0.352, 0.242, 0.259), (0.027, 0.194, 0.149, 0.080), (0.303, 0.454, 0.326, 0.356)),
}
# Table VI: questions, unanswerable, MR1, MR2, MR3, MR4 per perturbation.
TABLE_VI = {
    "DRS": (6_423, 48, 6_315, 60, 6_194, 151),
    "DRR": (4_598, 35, 4_539, 24, 4_426, 114),
    "DRD": (7_625, 77, 7_548, 0, 6_194, 151),
    "DSR": (4_598, 35, 4_510, 53, 4_431, 116),
    "DSD": (7_625, 111, 7_473, 41, 6_194, 151),
    "sum": (30_869, 306, 30_385, 178, 6_194, 151),
}
# Precision of positive detections (the text of V-B2): METAL, MORTAR; and the two labellers' kappa.
PPD, PPD_KAPPA = (0.455, 0.705), (0.778, 0.832)
# Table VII: bugs per perturbation, and their share of all bugs; a bug of MR3 or MR4 counts for two.
TABLE_VII = {
    "DS1": ((11_380, 0.356), (7_110, 0.223), (8_494, 0.266), (4_155, 0.130), (6_835, 0.214)),
    "DS2": ((10_369, 0.373), (6_296, 0.226), (7_584, 0.273), (3_604, 0.130), (5_878, 0.211)),
    "DS3": ((8_433, 0.342), (4_864, 0.197), (6_414, 0.260), (3_511, 0.143), (5_799, 0.235)),
    "DS4": ((7_479, 0.326), (4_499, 0.196), (6_003, 0.262), (3_448, 0.150), (5_322, 0.232)),
    "DS5": ((6_775, 0.392), (3_807, 0.221), (4_262, 0.247), (2_599, 0.151), (3_920, 0.227)),
    "DS6": ((5_200, 0.406), (2_623, 0.205), (3_042, 0.238), (1_856, 0.145), (3_160, 0.247)),
    "mean": ((8_273, 0.361), (4_866, 0.213), (5_966, 0.261), (3_196, 0.140), (5_152, 0.225)),
}
# Table VIII: bugs per relation, MR1 to MR4, and their share of all bugs. Table IX: L1, L2, L3.
TABLE_VIII = {
    "DS1": ((25_903, 0.811), (7, 0.0002), (5_966, 0.187), (66, 0.002)),
    "DS2": ((21_861, 0.786), (6, 0.0002), (5_844, 0.210), (88, 0.003)),
    "DS3": ((20_242, 0.822), (5, 0.0002), (4_275, 0.174), (112, 0.005)),
    "DS4": ((19_074, 0.832), (13, 0.0006), (3_692, 0.161), (140, 0.006)),
    "DS5": ((13_153, 0.762), (12, 0.0007), (3_975, 0.230), (124, 0.007)),
    "DS6": ((9_722, 0.759), (7, 0.0005), (2_956, 0.231), (120, 0.009)),
    "mean": ((18_326, 0.800), (8, 0.0004), (4_451, 0.194), (108, 0.005)),
}
TABLE_IX = {
    "mr1": (0.782, 0.214, 0.004), "mr2": (0.480, 0.520, 0.0),
    "mr3": (0.669, 0.324, 0.007), "mr4": (0.514, 0.475, 0.011),
}  # fmt: skip

# Earlier paper. Table 1: rounds, unanswerable rounds, dialogues with unanswerable questions (of 403).
V1_TABLE_1 = {
    "DRS": (6_423, 108, 79), "DRR": (4_598, 59, 48), "DRD": (7_625, 77, 51),
    "DSR": (4_598, 88, 74), "DSD": (7_625, 152, 88),
}  # fmt: skip
# Table 2: rounds, perturbed rounds, dialogues with perturbation (of 403).
V1_TABLE_2 = {
    "metal-synonyms": (6_423, 1_459, 385), "metal-leet": (6_423, 2_425, 343), "metal-typos": (6_423, 871, 307),
}  # fmt: skip
# Table 3: answerability, tags against people: both answerable, only the tag, only people, both unanswerable.
V1_TABLE_3 = (293, 10, 9, 14)
# Table 4: people's mean MSS on original and perturbed dialogues, and the drop as it is printed (the two means, rounded
# as they are printed, give 3.34 %).
V1_TABLE_4 = (0.839, 0.811, 0.0382)
# Table 5: bugs per relation.
V1_TABLE_5 = {
    "mr1": (27_219, 23_361, 22_331, 21_337, 14_703, 11_008),
    "mr2": (6_152, 6_043, 4_817, 4_388, 4_344, 3_328),
    "mr3": (69, 99, 124, 162, 141, 145),
}
# Table 6: mean score, mean score of bugs, bug rate under MR1.
V1_TABLE_6 = {
    "Qwen2-0.5B": {
        "Original": (0.317, 0.244, 0.874), "DRS": (0.298, 0.235, 0.894), "DRR": (0.325, 0.242, 0.858),
        "DRD": (0.312, 0.237, 0.875), "DSR": (0.310, 0.237, 0.876), "DSD": (0.294, 0.233, 0.896),
    },
    "Qwen2-1.5B": {
        "Original": (0.420, 0.278, 0.754), "DRS": (0.411, 0.267, 0.757), "DRR": (0.420, 0.273, 0.748),
        "DRD": (0.400, 0.267, 0.771), "DSR": (0.422, 0.268, 0.742), "DSD": (0.409, 0.264, 0.757),
    },
    "Qwen2-7B": {
        "Original": (0.476, 0.314, 0.701), "DRS": (0.446, 0.295, 0.731), "DRR": (0.480, 0.312, 0.692),
        "DRD": (0.462, 0.306, 0.718), "DSR": (0.461, 0.289, 0.702), "DSD": (0.430, 0.294, 0.755),
    },
    "Mistral-7B": {
        "Original": (0.473, 0.311, 0.693), "DRS": (0.473, 0.304, 0.689), "DRR": (0.460, 0.308, 0.711),
        "DRD": (0.483, 0.311, 0.678), "DSR": (0.455, 0.302, 0.709), "DSD": (0.473, 0.303, 0.684),
    },
    "Llama-3-8B": {
        "Original": (0.651, 0.337, 0.430), "DRS": (0.603, 0.309, 0.497), "DRR": (0.622, 0.318, 0.463),
        "DRD": (0.648, 0.326, 0.433), "DSR": (0.591, 0.305, 0.510), "DSD": (0.605, 0.307, 0.490),
    },
    "Gemma-2-9B": {
        "Original": (0.753, 0.345, 0.284), "DRS": (0.676, 0.306, 0.388), "DRR": (0.744, 0.335, 0.298),
        "DRD": (0.728, 0.331, 0.317), "DSR": (0.692, 0.306, 0.367), "DSD": (0.664, 0.296, 0.399),
    },
}  # fmt: skip
# Figure 7: questions with critical bugs: MORTAR alone, both, METAL alone. The figure's text gives three numbers per
# system without saying whose they are; so read they fit "up to four times more unique bugs" (224 and 46) and "decreases
# two times faster" for METAL.
V1_FIGURE_7 = dict(
    zip(
        V1_SYSTEMS,
        [(902, 822, 452), (649, 364, 391), (418, 250, 158), (362, 243, 176), (281, 74, 87), (224, 41, 46)],
        strict=True,
    )
)
# Table 7: the same under METAL.
V1_TABLE_7 = {
    "Qwen2-0.5B": {
        "metal-synonyms": (0.317, 0.241, 0.875), "metal-typos": (0.315, 0.240, 0.872),
        "metal-leet": (0.318, 0.241, 0.868),
    },
    "Qwen2-1.5B": {
        "metal-synonyms": (0.408, 0.273, 0.766), "metal-typos": (0.426, 0.275, 0.740),
        "metal-leet": (0.411, 0.280, 0.769),
    },
    "Qwen2-7B": {
        "metal-synonyms": (0.454, 0.312, 0.732), "metal-typos": (0.480, 0.315, 0.684),
        "metal-leet": (0.464, 0.314, 0.719),
    },
    "Mistral-7B": {
        "metal-synonyms": (0.458, 0.307, 0.709), "metal-typos": (0.474, 0.313, 0.690),
        "metal-leet": (0.464, 0.312, 0.707),
    },
    "Llama-3-8B": {
        "metal-synonyms": (0.654, 0.334, 0.422), "metal-typos": (0.649, 0.336, 0.432),
        "metal-leet": (0.652, 0.336, 0.427),
    },
    "Gemma-2-9B": {
        "metal-synonyms": (0.742, 0.342, 0.301), "metal-typos": (0.751, 0.344, 0.285),
        "metal-leet": (0.753, 0.347, 0.282),
    },
}  # fmt: skip
