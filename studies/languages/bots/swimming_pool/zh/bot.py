"""The chatbot of the swimming pool Lindenbad, in Chinese."""

from collections.abc import Collection, Sequence

from ..en.bot import FAULTS as ENGLISH_FAULTS
from ..engine import Bot, Reply
from .lexicon import CHINESE
from .wording import WORDING, show

FAULTS: dict[str, str] = ENGLISH_FAULTS | {
    "month_first": "Dates in figures are read with the month and the day in each other's place."
}
MESSAGES: tuple[str, ...] = (
    "请问你们的营业时间是几点到几点？",
    "周日晚上七点还开门吗？",
    "2027/3/5你们几点开门？",
    "复活节星期一泳池开放吗？",
    "两个大人带三个孩子，分别3岁、6岁和9岁，全天票一共多少钱？",
    "学生票多少钱？",
    "我们一行12个成人，门票一共要多少钱？",
    "一位退休老人和一个14岁的女孩，门票多少钱？",
    "我女儿16岁了，可以进桑拿房吗？",
    "桑拿多少钱，几点到几点开放？",
    "桑拿我们不需要，只想游泳，两个成人要付多少钱？",
    "我儿子身高1米15，能玩滑梯吗？",
    "孩子多高才可以玩水滑梯？",
    "停车五个小时要多少钱？",
    "你们那儿有停车场吗？",
    "我想租三条毛巾，需要多少钱？",
    "可以借一件浴袍和一块浮板吗？",
    "你们有泳镜出租吗？",
    "我想给女儿Emma报名2027年4月12日开课的海马班，她6岁。",
    "我儿子四岁，可以上什么游泳课？",
    "有没有给想学游泳的成年人开的课？",
    "水中健身操是星期几上课？收费多少？",
    "宝宝多大可以参加亲子游泳课？",
    "你们有潜水课吗？",
    "我们得在开课前五天取消课程，要收多少费用？",
    "生日派对最晚什么时候可以免费取消？",
    "十个孩子的生日派对多少钱？",
    "麻烦帮我预订2027年6月12日的生日派对，8个孩子，名字是Jürgen Becker。",
    "星期五可以在你们那儿过生日吗？",
    "儿童的十次卡多少钱？",
    "成人年卡是什么价格？",
    "我想买一张300欧元的礼品卡，可以吗？",
    "我8岁的儿子可以一个人来游泳吗？",
    "我女儿9岁，但是还不会游泳，没有大人陪可以下水吗？",
    "室外泳池的水温是多少度？",
    "儿童池有多深？",
    "你们有几条泳道？什么时候可以安静地来回游？",
    "可以刷卡吗？",
    "你们收100欧元的纸币吗？",
    "我昨天好像把手表落在更衣室了。",
    "可以带狗进去吗？",
    "允许穿布基尼吗？",
    "可以自带食物吗？餐吧几点开门？",
    "坐公交车怎么去你们那里？",
    "我父亲坐轮椅，你们那里有无障碍设施吗？",
    "可以给我的孩子拍照吗？",
    "储物柜的钥匙丢了怎么办？",
    "关门前多久还可以入场？",
    "我得了中耳炎，还能游泳吗？",
    "今天淋浴间很脏，我要投诉。",
)
BOT = Bot(CHINESE, WORDING, show, "")


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """Answer the last message of a conversation."""
    return BOT.reply(messages, faults, draw)
