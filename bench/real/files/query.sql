create table t(a,b);
insert into t values(1,"x"),(2,"y");
select sum(a), group_concat(b) from t;
