"""What notebooks have at hand, given to `mutatis.run` as it is: estimators and pipelines."""

from __future__ import annotations

import pytest

import mutatis
from mutatis.systems.pipelines import is_pipeline
from support.tiny_models import make_classifier, make_generator

TEXTS = ["the film was very good .", "not a great soup", "dull , very dull"]


def fitted():
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    made = make_pipeline(CountVectorizer(lowercase=False), LogisticRegression())
    return made.fit(["very good film", "great soup", "dull film", "bad soup"], ["positive"] * 2 + ["negative"] * 2)


def test_an_estimator_is_a_system():
    run = mutatis.run(fitted(), TEXTS, ["upper-case"], task="sentiment", settings={"noise_floor": 0})
    assert (run.summary[0].system, run.summary[0].judged) == ("sklearn:Pipeline", 3)


def test_an_estimator_that_is_not_fitted_is_told_at_once():
    from sklearn.linear_model import LogisticRegression

    with pytest.raises(mutatis.UsageError, match=r"LogisticRegression is not fitted; call its fit\(texts, labels\)"):
        mutatis.run(LogisticRegression(), TEXTS, ["upper-case"], task="sentiment")


def test_what_is_no_system_is_told_what_would_be():
    with pytest.raises(mutatis.UsageError, match="expected a function, a fitted scikit-learn estimator, a transf"):
        mutatis.run(3, TEXTS, ["upper-case"], task="sentiment")


def pipe(task, folder, **options):
    from transformers import pipeline

    return pipeline(task, model=str(folder), tokenizer=str(folder), device=-1, **options)


def test_a_classification_pipeline_is_called_with_its_own_settings(tmp_path):
    made = pipe("text-classification", make_classifier(tmp_path / "c", labels=("negative", "positive")))
    assert is_pipeline(made)
    assert not is_pipeline(fitted())
    run = mutatis.run(made, TEXTS, ["add-spaces"], task="sentiment", settings={"noise_floor": 0}, out=tmp_path / "out")
    assert (run.summary[0].system, run.summary[0].judged) == ("transformers:c", 3)
    [expected] = [row["score"] for row in made(TEXTS[0], top_k=None) if row["label"] == "positive"]
    verdict = run.frame("verdicts").iloc[0]
    assert float(verdict["source_value"]) == pytest.approx(expected, abs=1e-4)


def test_a_generation_pipeline_answers_the_messages(tmp_path):
    folder = make_generator(tmp_path / "g", chat=True)
    made = pipe("text-generation", folder, max_new_tokens=5, do_sample=False)
    run = mutatis.run(made, TEXTS, ["upper-case"], task="sentiment", settings={"noise_floor": 0, "confirm": 0})
    row = run.summary[0]
    assert row.satisfied + row.violated + row.invalid + row.error == 3
    # Random weights say no number: what matters is that their words came through.
    prompt = [{"role": "user", "content": "text film"}]
    assert made(prompt, return_full_text=False)[0]["generated_text"]


def test_other_weights_and_other_settings_are_another_system(tmp_path):
    folder = make_classifier(tmp_path / "c", labels=("negative", "positive"))
    other = make_classifier(tmp_path / "d", labels=("negative", "positive"), seed=1)
    first, again, changed = (pipe("text-classification", place) for place in (folder, folder, other))
    made = [mutatis.system("transformers", model=each) for each in (first, again, changed)]
    assert made[0].identity == made[1].identity
    assert made[0].identity != made[2].identity
    sampled = pipe("text-classification", folder, function_to_apply="sigmoid")
    assert mutatis.system("transformers", model=sampled).identity != made[0].identity


def test_a_pipeline_of_another_task_is_told(tmp_path):
    made = pipe("feature-extraction", make_classifier(tmp_path / "c"))
    with pytest.raises(
        mutatis.UsageError, match="got a pipeline for the task 'feature-extraction'; expected text-class"
    ):
        mutatis.run(made, TEXTS, ["upper-case"], task="sentiment")
