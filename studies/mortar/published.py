"""Numbers printed in the two MORTAR papers, for the tables of `run.py`; nothing is computed from them."""

from __future__ import annotations

SYSTEMS = ("DS1", "DS2", "DS3", "DS4", "DS5", "DS6")
V1_SYSTEMS = ("Qwen2-0.5B", "Qwen2-1.5B", "Qwen2-7B", "Mistral-7B", "Llama-3-8B", "Gemma-2-9B")
PERTURBATIONS = ("DRS", "DRR", "DRD", "DSR", "DSD")

# Later paper. Table I: reference-based testing, 7,983 questions: bugs, effective test cases of 500.
TABLE_I = {
    "DS1": (6_654, 500), "DS2": (5_582, 500), "DS3": (5_028, 495),
    "DS4": (5_014, 500), "DS5": (3_042, 485), "DS6": (1_999, 470),
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
# Table V, means: share of unique bug questions at L1, L2, L3 and overall; METAL, METAL on the common seeds, MORTAR.
TABLE_V = {
    "METAL": (0.216, 0.352, 0.242, 0.259),
    "METAL, common seeds": (0.027, 0.194, 0.149, 0.080),
    "MORTAR": (0.303, 0.454, 0.326, 0.356),
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
# Table VII, means: share of the bugs.
TABLE_VII = {"DRS": 0.361, "DRR": 0.213, "DRD": 0.261, "DSR": 0.140, "DSD": 0.225}
# Table VIII, means: bugs, share of the bugs. Table IX: L1, L2, L3.
TABLE_VIII = {"mr1": (18_326, 0.800), "mr2": (8, 0.0004), "mr3": (4_451, 0.194), "mr4": (108, 0.005)}
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
# Table 4: people's mean MSS on original and perturbed dialogues.
V1_TABLE_4 = (0.839, 0.811)
# Table 5: bugs per relation.
V1_TABLE_5 = {
    "mr1": (27_219, 23_361, 22_331, 21_337, 14_703, 11_008),
    "mr2": (6_152, 6_043, 4_817, 4_388, 4_344, 3_328),
    "mr3": (69, 99, 124, 162, 141, 145),
}
# Table 6: mean score, mean score of bugs, bug rate under MR1, of the weakest and the strongest system.
V1_TABLE_6 = {
    "Qwen2-0.5B": {
        "Original": (0.317, 0.244, 0.874), "DRS": (0.298, 0.235, 0.894), "DRR": (0.325, 0.242, 0.858),
        "DRD": (0.312, 0.237, 0.875), "DSR": (0.310, 0.237, 0.876), "DSD": (0.294, 0.233, 0.896),
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
    "Gemma-2-9B": {
        "metal-synonyms": (0.742, 0.342, 0.301), "metal-typos": (0.751, 0.344, 0.285),
        "metal-leet": (0.753, 0.347, 0.282),
    },
}  # fmt: skip
