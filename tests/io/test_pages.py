"""Boxes of characters become boxes of lines."""

from PIL import Image

from maskwise.io.pages import burn_boxes, join_boxes


def test_characters_of_a_line_are_one_box():
    row = [(0.0, 10.0, 5.0, 20.0), (5.0, 12.0, 9.0, 18.0), (9.0, 8.0, 12.0, 20.0)]
    below = (0.0, 30.0, 5.0, 40.0)
    assert join_boxes([*row, below]) == [(0.0, 8.0, 12.0, 20.0), below]
    space = (12.0, 18.0, 14.0, 18.0)
    assert join_boxes([*row, space, (14.0, 9.0, 19.0, 20.0)]) == [(0.0, 8.0, 19.0, 20.0), space]
    assert join_boxes([]) == []
    assert join_boxes([(1.0, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1.0)]) == [(1.0, 1.0, 1.0, 1.0)] * 2


def test_a_label_stands_inside_its_box_or_not_at_all():
    image = Image.new("L", (200, 60), 255)
    burn_boxes(image, [(20, 20, 180, 40)], "[PERSON 1]")
    assert image.getextrema() == (0, 255)
    assert image.crop((22, 22, 178, 38)).getextrema()[1] > 200, "white letters on black"
    small = Image.new("L", (200, 60), 255)
    burn_boxes(small, [(20, 20, 30, 40)], "a long label that cannot stand here")
    assert small.crop((20, 20, 30, 40)).getextrema() == (0, 0)
    assert small.crop((40, 0, 200, 60)).getextrema() == (255, 255)
